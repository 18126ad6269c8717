import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { logAdvice } from '../../server/src/operator/log-advice.ts'
import { logEvents } from '../../server/src/kernel/log-events.ts'
import { citationOf } from './support/citations.ts'
import { invariants } from './shown-by/invariants.ts'
import { wallets, walletSteps } from './shown-by/wallets.ts'
import { code, importsOf, relativeImportsOf, root, sources, text, tracked, under } from './support/source-files.ts'

/** The house rules that a compiler cannot see: who may import whom, who owns what, and documents that stay true. */

/** Files and folders of the root. */
const top = new Set(tracked.map((file) => file.split('/')[0] ?? ''))

type Room = { name: string; has: (file: string) => boolean; mayImport: string[] }

/** Rooms of the server from the ground up, then the workspaces. A room may always import from itself. */
const rooms: Room[] = [
  { name: 'protocol', has: under('protocol'), mayImport: [] },
  { name: 'kernel', has: under('server/src/kernel'), mayImport: ['protocol'] },
  { name: 'redis', has: under('server/src/redis'), mayImport: ['kernel'] },
  { name: 'db', has: under('server/src/db'), mayImport: ['protocol', 'kernel'] },
  { name: 'ledger', has: under('server/src/ledger'), mayImport: ['protocol', 'kernel', 'db'] },
  { name: 'chain', has: under('server/src/chain'), mayImport: ['protocol', 'kernel', 'db', 'ledger'] },
  {
    name: 'modules',
    has: under('server/src/modules'),
    mayImport: ['protocol', 'kernel', 'db', 'ledger', 'chain'],
  },
  { name: 'api', has: under('server/src/api'), mayImport: ['protocol', 'kernel', 'redis'] },
  { name: 'http', has: under('server/src/http'), mayImport: ['protocol', 'kernel', 'redis', 'api'] },
  {
    name: 'jobs',
    has: under('server/src/jobs'),
    mayImport: ['protocol', 'kernel', 'db', 'ledger', 'chain', 'modules'],
  },
  {
    name: 'operator',
    has: under('server/src/operator'),
    mayImport: ['protocol', 'kernel', 'db', 'ledger', 'chain', 'modules'],
  },
  {
    name: 'main',
    has: under('server/src/main'),
    mayImport: ['protocol', 'kernel', 'redis', 'db', 'ledger', 'chain', 'modules', 'api', 'http', 'jobs', 'operator'],
  },
  { name: 'client', has: under('client'), mayImport: ['protocol'] },
  { name: 'web', has: under('web'), mayImport: ['protocol', 'client'] },
  { name: 'contracts', has: under('contracts'), mayImport: ['protocol'] },
]

const roomOf = (file: string) => rooms.find((room) => room.has(file))

/** The folder of a file's workspace; in `tests/` each folder counts as one. */
const workspaceOf = (file: string): string => /^(?:tests\/)?[^/]+/.exec(file)?.[0] ?? ''

const importsInto = (files: readonly string[], targets: RegExp) =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => targets.test(target))
      .map((target) => `${file} → ${target}`),
  )

describe('arrows', () => {
  for (const room of rooms) {
    test(`${room.name} imports only what it may`, () => {
      const wrong = code
        .filter((file) => roomOf(file) === room)
        .flatMap((file) =>
          importsOf(file)
            .map((target) => ({ file, target, to: roomOf(target) }))
            .filter(({ to }) => to !== undefined && to !== room && !room.mayImport.includes(to.name)),
        )
      expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
    })
  }

  test('no file of the product imports devnet, testing or tests', () => {
    // A module's `testing.ts` beside it is no file of the product.
    const inside = code
      .filter((file) => /^(?:protocol|client|server\/src|web\/src|contracts|verify)\//.test(file))
      .filter((file) => file !== 'contracts/mutants.ts')
    expect(inside.length).toBeGreaterThan(600)
    expect(importsInto(inside, /^(?:devnet|testing|tests|server\/(?:test|simulate))\//)).toEqual([])
  })

  test('testing is below all that uses it', () => {
    const inside = sources.filter((file) => file.startsWith('testing/'))
    expect(inside.length).toBeGreaterThan(40)
    expect(importsInto(inside, /^(?:devnet|tests|server\/(?:test|simulate))\//)).toEqual([])
  })

  test('tests of server and web, and the mutants, import nothing of devnet or the journeys', () => {
    const inside = sources.filter((file) =>
      /^(?:server|web|tests\/mutants|protocol|client|verify|contracts)\//.test(file),
    )
    // Its subject is what `npm start` puts into the desk.
    const allowed = /^server\/test\/exchange\/stock-desk\.test\.ts → devnet\/seed\//
    const found = importsInto(inside, /^(?:devnet|tests\/journeys)\//)
    expect(found.some((line) => allowed.test(line))).toBe(true)
    expect(found.filter((line) => !allowed.test(line))).toEqual([])
  })

  test('another workspace is imported by its name, wherever its package exports what is wanted', () => {
    const workspaces = new Set([
      'web',
      'server',
      'protocol',
      'client',
      'devnet',
      'testing',
      'tests/journeys',
      'tests/bench',
      'contracts',
      'tests/mutants',
    ])
    // The package of the server exports only src; web exports nothing, and mutants is no package.
    const hasNoName = /^(?:(?:web|tests\/mutants|server\/(?:test|simulate))\/|server\/build\.ts$)/
    const across = sources.flatMap((file) => {
      const own = workspaceOf(file)
      return relativeImportsOf(file)
        .filter((target) => workspaces.has(own) && !target.startsWith(`${own}/`))
        .filter((target) => workspaces.has(workspaceOf(target)))
        .map((target) => ({ line: `${file} → ${target}`, mayBe: hasNoName.test(target) }))
    })
    expect(across.some(({ mayBe }) => mayBe)).toBe(true)
    expect(across.filter(({ mayBe }) => !mayBe).map(({ line }) => line)).toEqual([])
  })

  test('the verifier has nothing of the code that it checks: its own files, two libraries and node', () => {
    const inside = sources.filter((file) => file.startsWith('verify/') && !file.endsWith('.test.ts'))
    expect(inside.length).toBeGreaterThan(10)
    const wrong = inside.flatMap((file) =>
      importsOf(file)
        .filter((target) => !/^(?:verify\/|node:|viem$|zod$)/.test(target))
        .map((target) => `${file} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('every relative import exists', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) =>
          /^(?:server|web|devnet|testing|tests\/(?:journeys|bench)|protocol|contracts)\//.test(target),
        )
        .map((target) => target.replace(/\?.*$/, ''))
        .filter((target) => !existsSync(path.join(root, target)) && !target.startsWith('contracts/out/'))
        .map((target) => `${file} → ${target}`),
    )
    expect(wrong).toEqual([])
  })
})

/** Something that exactly one place may do: a pattern, the files it is looked for in, and the owner. */
const owners: { what: string; pattern: RegExp; within: (file: string) => boolean; owner: RegExp }[] = [
  {
    what: 'reads the time',
    pattern: /\bDate\.now\(|new Date\(\)|performance\.now\(/,
    within: under('server/src'),
    owner: /^server\/src\/kernel\/clock\.ts$/,
  },
  {
    what: 'knows the database driver',
    pattern: /from 'pg'|from 'pg-[a-z-]+'/,
    within: under('server/src'),
    owner: /^server\/src\/db\//,
  },
  {
    what: 'knows the client of Redis',
    pattern: /from '@redis\//,
    within: under('server/src'),
    owner: /^server\/src\/redis\//,
  },
  {
    what: 'writes entries and balances',
    pattern: /(insert into|update|delete from|truncate)\s+ledger_|(insertInto|updateTable|deleteFrom)\('ledger_/i,
    within: under('server/src'),
    owner: /^server\/src\/ledger\//,
  },
  {
    what: 'reads the environment',
    pattern: /process\.env\b/,
    within: under('server/src'),
    owner: /^server\/src\/(main\/config\.ts|main\/migrate\/|operator\/|db\/testing)/,
  },
  {
    what: 'imports wallet libraries',
    pattern: /from 'viem|import\('viem|@wagmi\/core/,
    within: under('web/src'),
    owner: /^web\/src\/(wallet|demo-wallet)\//,
  },
  {
    what: 'fetches',
    pattern: /(?<![.\w])fetch\(|XMLHttpRequest|sendBeacon/,
    within: under('web/src'),
    owner: /^web\/src\/(api|demo-wallet|service-worker)\//,
  },
]

describe('single owners', () => {
  for (const { what, pattern, within, owner } of owners) {
    test(`only ${owner.source} ${what}`, () => {
      const wrong = code.filter((file) => within(file) && !owner.test(file) && pattern.test(text(file)))
      expect(wrong).toEqual([])
    })
  }
})

/** Words that the glossary of ARCHITECTURE.md has replaced, as parts of names. A name of the field's own is in the right column there. */
const oldWords = [
  /\bholdDatabase\b|\btakeTurns\b|\bgiveBack\b|\bfindSharedBlock\b|\bfirstPace\b|\bunrecord(?:ed)?\b|\benrol\b|\blangOf\b/,
  /\b(?:Stride|Pace|Wish|PayoutLook|ChainKeeper|Unanswered\w*)\b|\bfuel\b|\breadAgain\b|\bfarewell\b|\bshelf\b/i,
  // Loans and what belongs to them are lending; to credit is what is done with a payment.
  /\b(?:start|make|take|request|without|close)Credit\b|\bcredit(?:Texts|Handlers|Gauges|Checks|Works?|Acts|Book|Figures|Commands)\b/,
  /\bfar[A-Z]\w*Stride|\bMOST\b|\bLEAST\b|[a-z](?:Least|Most)(?:[A-Z]|\b)|\b(?:least|most)[A-Z]\w*/,
]
/** File names that say nothing about their content, or say it by a metaphor. */
const oldFileNames =
  /(?:^|\/)(?:hold-database|take-turns|act|enrol|gather|bad-bytes|lang-of|shelf|farewell|parts|unanswered|request-shelf|inner|world|weather|story|credit|credit-\w+(?<!credit-confirmed|credit-payments)|spread|hunt|stage|chain-keeper|rpc-door|killable|far-stride|settle)\.tsx?$/

describe('words', () => {
  test('names use the words of the glossary', () => {
    const wrong = sources
      .filter((file) => file !== 'tests/rules/tidy.test.ts')
      .flatMap((file) =>
        namesIn(text(file)).flatMap((line) =>
          oldWords.some((word) => word.test(line)) ? [`${file}: ${line.trim()}`] : [],
        ),
      )
    expect(wrong).toEqual([])
    expect(oldWords.some((word) => word.test('const pace = firstPace()'))).toBe(true)
  })

  test('files are named by their content', () => {
    expect(sources.filter((file) => oldFileNames.test(file))).toEqual([])
  })

  test('every word of the glossary has one row', () => {
    const rows = [...(text('ARCHITECTURE.md').split('## Glossary')[1] ?? '').matchAll(/^\| ([a-z][^|]*?) +\| /gm)]
    const words = rows.map(([, word = '']) => word).filter((word) => word !== 'word')
    expect(words.length).toBeGreaterThan(20)
    expect(new Set(words).size).toBe(words.length)
  })
})

/** The lines of a source without comments and texts. */
const namesIn = (source: string): string[] =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, '')
    .split('\n')

describe('tree', () => {
  test('no loose ends', () => {
    const loose = /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-nocheck|\.only\(|\btest\.skip\(|describe\.skip\(/
    const wrong = sources.filter((file) => file !== 'tests/rules/tidy.test.ts' && loose.test(text(file)))
    expect(wrong).toEqual([])
  })

  test('no file is longer than 400 lines', () => {
    const long = sources.filter((file) => text(file).split('\n').length > 400)
    expect(long).toEqual([])
  })

  test('every path that ARCHITECTURE.md names exists', () => {
    const names = [...text('ARCHITECTURE.md').matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
    // A path begins with a folder or file of the root; anything else between backticks is code.
    const named = names.filter((name) => top.has(name.split('/')[0] ?? ''))
    expect(named.length).toBeGreaterThan(20)
    const missing = named.filter((name) => !existsSync(path.join(root, name)))
    expect(missing).toEqual([])
  })

  test('every test that is named as the guard of an invariant exists', () => {
    const guards = [...text('ARCHITECTURE.md').matchAll(/`([\w/.-]+\.(?:test\.ts|t\.sol))`/g)].map(([, n = '']) => n)
    guards.push(...Object.values(invariants))
    expect(guards.length).toBeGreaterThan(70)
    expect(guards.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
  })

  test('every relative link in a document leads somewhere', () => {
    const broken = tracked
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...text(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
          .map(([, target = '']) => path.join(path.dirname(file), target))
          .filter((target) => !existsSync(path.join(root, target)))
          .map((target) => `${file} → ${target}`),
      )
    expect(broken).toEqual([])
  })
})

describe('documents', () => {
  const documents = tracked.filter((file) => file.endsWith('.md'))

  test('no cell of a table is longer than 200 characters', () => {
    const cells = documents.flatMap((file) =>
      text(file)
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .flatMap((line) => line.slice(1, -1).split('|'))
        .map((cell) => ({ file, cell: cell.trim() })),
    )
    expect(cells.length).toBeGreaterThan(100)
    expect(cells.filter(({ cell }) => cell.length > 200 && !/^:?-+:?$/.test(cell))).toEqual([])
  })

  test('no table is written twice', () => {
    const repeated = documents.flatMap((file) =>
      text(file)
        .split(/\n(?!\|)/)
        .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
        .flatMap((table) => table.slice(1).filter((line) => line === table[0]))
        .map((line) => ({ file, line })),
    )
    expect(repeated).toEqual([])
  })

  test('each row of docs/reference/wallets.md has its test, which exists, and stands in the file that is named', () => {
    const rows = Object.entries(wallets)
    expect(rows.length).toBeGreaterThan(60)
    const document = text('docs/reference/wallets.md')
    expect(rows.map(([row]) => row).filter((row) => !document.includes(`| ${row} `))).toEqual([])
    const named = [...Object.values(wallets), ...Object.values(walletSteps)].flat().map(citationOf)
    expect(named.filter(({ file, title }) => !tracked.includes(file) || !text(file).includes(title ?? ''))).toEqual([])
    const tables = document.split('\n\n').filter((part) => /^\| what \w+ do /m.test(part))
    const cells = tables
      .flatMap((table) => table.split('\n').slice(2))
      .map((row) => row.split(' | ')[0]?.slice(2).trim() ?? '')
    expect(cells.filter((cell) => cell !== '' && !Object.hasOwn(wallets, cell))).toEqual([])
  })

  test('every metric that a document names exists', () => {
    const names = documents.flatMap((file) => text(file).match(/\bcandela_[a-z_]+\b/g) ?? [])
    expect(names.length).toBeGreaterThan(10)
    const server = code.filter(under('server/src')).map(text).join('\n')
    // Gauges are declared without the prefix, which one function adds.
    // Roles and accounts of the database are named alike.
    const accounts = text('deploy/postgres/database.sql')
    const exists = (name: string) =>
      accounts.includes(name) || server.includes(`'${name}'`) || server.includes(`'${name.replace('candela_', '')}'`)
    expect(names.filter((name) => !exists(name))).toEqual([])
  })

  test('every event of the log is written; documents name no other, and all warnings and errors have advice', () => {
    const events = Object.keys(logEvents)
    const server = code.filter((file) => file.startsWith('server/src/') && file !== 'server/src/kernel/log-events.ts')
    const written = server.map(text).join('\n')
    expect(events.filter((event) => !written.includes(`'${event}'`))).toEqual([])

    const areas = [...new Set(events.map((event) => event.split('.')[0]))].join('|')
    const pattern = new RegExp(`\`((?:${areas})\\.(?!ts\`|md\`|sql\`)[a-z-]+)\``, 'g')
    const named = documents.flatMap((file) => [...text(file).matchAll(pattern)].map(([, name = '']) => name))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !events.includes(name))).toEqual([])

    const toWatch = [...written.matchAll(/\.(?:warn|error|fatal)\(\s*\{\s*event: '([^']+)'/g)].map(
      ([, name = '']) => name,
    )
    expect(toWatch.length).toBeGreaterThan(20)
    expect(toWatch.filter((name) => !Object.hasOwn(logAdvice, name))).toEqual([])
    // The events that the code writes at a level of its choice are not among these.
    expect(Object.keys(logAdvice).length).toBeGreaterThanOrEqual(new Set(toWatch).size)
  })
})
