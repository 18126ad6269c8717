import { expect, test } from 'vitest'
import { advisoryLocks } from '@candela/server/db/advisory-locks'
import { code, text, under } from './support/source-files.ts'

/** A statement has at most 65,535 parameters, so a list of any length is one parameter: see `db/any-of.ts`. */

const statements = code.filter((file) => under('server/src')(file) || under('devnet')(file))

/** Its list may grow: anything but texts and numbers that are written there, or another query. */
const growingList = /,\s*'(?:not )?in',(?!\s*(?:\(|\[\s*(?:(?:'[^']*'|\d+n?)\s*,?\s*)+\]))|\bin \(\$\{/
/** Rows that are not written there. */
const growingRows = /\.insertInto\([^)]*\)\s*\.values\((?!\s*\{)/
/** Each of what it joins may be a parameter. */
const joined = /\bsql\.join\(/

/** Why the number of parameters is bounded all the same. */
const bounded: { [file: string]: string } = {
  'server/src/db/any-of.ts': 'names of columns',
  'server/src/ledger/collect.ts': 'expressions, one for each account that its only caller names',
  'server/src/modules/file/file-links.ts': 'one row',
  'server/src/modules/lending/loan/record/store.ts': 'one row',
  'server/src/modules/proof/tree/store-pieces.ts': 'sixteen rows of bytes a statement',
  'server/src/modules/reconcile/reconcile.ts': 'a row an asset',
  'server/src/modules/withdraw/payout/next-due.ts': 'the assets',
  'server/src/modules/withdraw/payout/sign-due.ts': 'the assets',
  'server/src/modules/withdraw/contract-caps.ts': 'a row an asset',
  'server/src/modules/proof/attest/watch-contract.ts': 'one row',
  'server/src/modules/withdraw/review.ts': 'a row an operator',
  'server/src/chain/price/observe-prices.ts': 'one row',
  'server/src/operator/signing/execute.ts': 'one row',
}

const filesWith = (pattern: RegExp) => statements.filter((file) => pattern.test(text(file)))

test('no statement has a parameter for each value of a list', () => {
  const found = [growingList, growingRows, joined].flatMap(filesWith)
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(bounded).toSorted())
})

test('the search finds what it is to find', () => {
  const lists = ["('id', 'in', ids)", "('id', 'not in', [...ids])", "('id', 'in', [0n, ...ids])", 'id in (${list})']
  expect(lists.filter((sample) => !growingList.test(sample))).toEqual([])
  const written = ["('state', 'in', ['queued', 'sending'])", "('id', 'in', (query) => query)", "('n', 'in', [1, 2n])"]
  expect(written.filter((sample) => growingList.test(sample))).toEqual([])
  const rows = ["db.insertInto('a').values(rows)", "db.insertInto('a')\n    .values(list.map((one) => one))"]
  expect(rows.filter((sample) => !growingRows.test(sample))).toEqual([])
  expect(growingRows.test("db.insertInto('a').values({ id })")).toBe(false)
})

test('the numbers of advisory locks are in one table, each once', () => {
  const numbered = statements.filter((file) => /726_?001_?\d{3}|pg_(?:try_)?advisory\w*\(\s*\d/.test(text(file)))
  expect(numbered).toEqual(['server/src/db/advisory-locks.ts'])
  const numbers = Object.values(advisoryLocks).map(Number)
  expect(new Set(numbers).size).toBe(numbers.length)
})
