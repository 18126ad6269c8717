import { expect, test } from 'vitest'
import { type TableName, tableOwners } from '@candela/server/db/schema/table-owners'
import { text as textOf, tracked } from './support/source-files.ts'

/**
 * The table matrix: each table is written by one folder of the server (`table-owners.ts`) and read by it. Everybody else
 * calls the owner's functions, reads the owner's view, or is listed here with the reason. That every table
 * of the migrated schema has an owner is checked where the row types are generated.
 */

type Readers = { [folder: string]: string }

const followed = 'how far the chain is followed belongs into the same statement or under the same lock'
const party = 'whose address or id it is belongs into the same statement'

const readers: { [table in TableName]?: Readers } = {
  attestation: { 'modules/reconcile': 'nothing is paid out while the last attestation is old' },
  chain_block: {
    'modules/deposit': followed,
    'modules/income': followed,
    'modules/reconcile': followed,
    'modules/withdraw': followed,
  },
  chain_cursor: {
    'modules/deposit': followed,
    'modules/income': followed,
    'modules/reconcile': followed,
    'modules/withdraw': followed,
    operator: 'which contract the service follows is part of what operators sign',
  },
  chain_event: { 'modules/deposit': 'a payment in suspense is locked while it is given away' },
  // The view that chain/ defines for everybody.
  chain_payment: {
    'modules/deposit': 'view',
    'modules/income': 'view',
    'modules/lending': 'view',
    'modules/power': 'view',
    'modules/proof': 'view',
    'modules/reconcile': 'view',
    'modules/withdraw': 'view',
    operator: 'view',
  },
  uncredited_payment: {
    'modules/deposit': 'view',
    'modules/income': 'view',
    'modules/lending': 'view',
    'modules/power': 'view',
    'modules/proof': 'view',
    'modules/reconcile': 'view',
  },
  expected_payout: { 'modules/reconcile': 'view' },
  foreign_payout: { 'modules/reconcile': 'view' },
  income_deposit: { operator: 'the list of deposits tells on which day each was shared' },
  ledger_account: {
    'modules/member': 'an account and its balances are read by one statement, the most frequent of all',
  },
  member: {
    'modules/deposit': party,
    'modules/lending':
      'locked while a loan is opened, so that calls of one member come one after the other; whose wallet is to pay on chain',
    'modules/power': party,
    'modules/reconcile': party,
    'modules/ranking': 'whose purchases count for whom above is one recursive statement',
    'modules/session': party,
    'modules/transfer': party,
    'modules/withdraw': 'locked while a withdrawal is opened, so that calls of one member come one after the other',
  },
  member_power: {
    'modules/income': 'a day is shared in chunks of its members',
    'modules/member': 'an account and the list of invitees show the power of each',
  },
  power_order: { 'modules/income': 'a day is shared among all orders in one set-based statement' },
  power_plan: { 'modules/income': 'a day fixes the terms of the plans that it is shared on' },
  setting: { db: 'read by everybody through db/settings.ts' },
}

const sources = tracked.filter(
  (file) =>
    /^server\/src\/.*\.ts$/.test(file) &&
    !/\.test\.ts$|\/testing[^/]*\.ts$/.test(file) &&
    !file.startsWith('server/src/db/tables/'),
)

const folderOf = (file: string): string =>
  /^server\/src\/(modules\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? `no folder: ${file}`

const names = Object.keys(tableOwners) as TableName[]
const anyName = names.toSorted((a, b) => b.length - a.length).join('|')
const table = `"?(${anyName})\\b(?!['"\`]?\\()`

/** As kysely is called, and as SQL says it: after its keyword, or further on in a list of tables. */
const writing = [
  new RegExp(`\\b(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'(${anyName})(?: as \\w+)?'`, 'g'),
  new RegExp(`\\b(?:insert\\s+into|update|delete\\s+from|truncate|merge\\s+into|alter\\s+table)\\s+${table}`, 'gi'),
]
const reading = [
  new RegExp(`\\b(?:selectFrom|\\w+Join|from|using)\\(\\s*\\[?'(${anyName})(?: as \\w+)?'`, 'g'),
  new RegExp(`\\b(?:from|join|using|table)\\s+(?:only\\s+|lateral\\s+)?${table}`, 'gi'),
  // Further on in a list, with its alias.
  new RegExp(`,\\s*${table}\\s+(?:as\\s+)?[a-z]\\w?\\b`, 'gi'),
  new RegExp(
    `\\bfrom\\s+[a-z_]+(?:\\s+(?:as\\s+)?[a-z_]+)?(?:\\s*,\\s*[a-z_]+(?:\\s+[a-z_]+)?)*?\\s*,\\s*${table}`,
    'gi',
  ),
]

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*/g, '')

type Use = { table: TableName; folder: string; file: string }

function usesOf(patterns: readonly RegExp[], files: ReadonlyMap<string, string>): Use[] {
  return [...files].flatMap(([file, text]) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => ({ table: match[1] as TableName, folder: folderOf(file), file })),
    ),
  )
}

const texts = new Map(sources.map((file) => [file, withoutComments(textOf(file))] as const))
const writes = usesOf(writing, texts)
const reads = usesOf(reading, texts)

const described = (uses: readonly Use[]): string[] => [
  ...new Set(uses.map((use) => `${use.file} uses ${use.table} of ${tableOwners[use.table]}`)),
]

test('each table is written by its owner alone', () => {
  expect(described(writes.filter((use) => use.folder !== tableOwners[use.table]))).toEqual([])
})

const mayRead = (use: Use): boolean =>
  use.folder === tableOwners[use.table] || readers[use.table]?.[use.folder] !== undefined

test('a table is read by its owner and by those that the matrix lists', () => {
  expect(described(reads.filter((use) => !mayRead(use)))).toEqual([])
})

test('the matrix lists nobody who does not read', () => {
  const listed = Object.entries(readers).flatMap(([name, folders]) =>
    Object.keys(folders).map((folder) => `${folder} reads ${name}`),
  )
  const read = new Set(reads.map((use) => `${use.folder} reads ${use.table}`))
  expect(listed.filter((line) => !read.has(line))).toEqual([])
})

test('rows of statements written by hand have a schema, which tests compare them with: see db/query-rows.ts', () => {
  // Conditions and values inside of a query that kysely types; nothing else may say of itself what it gives.
  const unchecked = /\bsql<(?!boolean>|Date>)|executeQuery<(?!unknown>)/
  expect([...texts].filter(([, text]) => unchecked.test(text)).map(([file]) => file)).toEqual([])
})

/** They show what is in tables. */
const views = [
  'chain_payment',
  'uncredited_payment',
  'expected_payout',
  'foreign_payout',
  'ledger_balance',
  'loan_with_debt',
]

test('the document on scale says of every table whether it grows', () => {
  const grows =
    /Tables that still grow:\n([\s\S]*?)\n\nIds are computed/.exec(textOf('docs/operate/scale.md'))?.[1] ?? ''
  expect(names.filter((name) => !views.includes(name) && !grows.includes(`\`${name}\``))).toEqual([])
  const named = [...grows.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '')
  expect(named.filter((name) => !Object.hasOwn(tableOwners, name))).toEqual([])
})

test('the search finds what it is to find', () => {
  // Written through SQL functions and triggers of the migrations only.
  const viaFunctions = [
    'ledger_posting',
    'ledger_entry',
    'ledger_partition',
    'ledger_account',
    'ledger_delta',
    'used_nonce',
    'member_referrals',
    'chain_uncredited',
  ]
  const given = ['fund', 'installation', 'login_key']
  const found = new Set<string>(writes.map((use) => use.table))
  expect(names.filter((name) => !found.has(name) && ![...viaFunctions, ...views, ...given].includes(name))).toEqual([])
  const sample = new Map([
    ['server/src/modules/home/a.ts', 'sql`select 1 from (select 2) x, member m join power_plan p on true`'],
    ['server/src/modules/home/b.ts', "db\n  .insertInto('notice')\n  .values(from('setting as s'))"],
    [
      'server/src/modules/home/c.ts',
      'sql`with a as (delete from only session) insert into withdrawal_step values (1)`',
    ],
  ])
  expect(usesOf(writing, sample).map((use) => use.table)).toEqual(['notice', 'withdrawal_step'])
  expect(
    usesOf(reading, sample)
      .map((use) => use.table)
      .toSorted(),
  ).toEqual(['member', 'power_plan', 'session', 'setting'])
})
