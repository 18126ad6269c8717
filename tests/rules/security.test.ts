import { endpoints } from '@candela/protocol/endpoints'
import { describe, expect, test } from 'vitest'
import { broken, CITATION, citationOf, citationsIn, itemsOf, read } from './support/citations.ts'
import { holding, notHere } from './shown-by/asvs.ts'
import { threats } from './shown-by/threats.ts'
import { tracked, under } from './support/source-files.ts'

/** Keeps docs/understand/security.md true: what it cites exists under the name it cites, and what it lists is all there is. */

const code = tracked.filter(
  (file) => /^(?:(?:server|web)\/src|client)\/.*\.tsx?$/.test(file) && !/\.test\.|\/testing/.test(file),
)

/**
 * The code that runs on a developer's machine alone: nothing in production imports it (`tests/rules/tidy.test.ts`), so that it is in
 * none of the document's lists. What it must not do there is below.
 */
const development = tracked.filter((file) => /^(?:devnet|testing)\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))

const document = read('docs/understand/security.md')

/** The text below a heading, down to the next of its kind or a higher one. */
function section(heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0
  const [, below] = `\n${document}`.split(`\n${heading}\n`)
  if (below === undefined) throw new Error(`docs/understand/security.md has no "${heading}"`)
  return below.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? ''
}

/** Takes the text behind "label: " in an item that begins with it. */
const labelled = (label: string, texts: readonly string[]): string[] =>
  texts.filter((text) => text.startsWith(`${label}: `)).map((text) => text.slice(label.length + 2))

const withoutCitations = (line: string): string => line.replaceAll(CITATION, '').trim()
const LINK = /\[[^\]]+\]\([^)]+\)/g

/**
 * The sections of version 5.0.0 of the standard, each with the last of its items of levels 1 and 2, which come before
 * those of level 3. Written out, so that none is left out and none is made up.
 */
const sections = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2  2.1:3 2.2:3 2.3:4 2.4:1  3.2:2 3.3:4 3.4:6 3.5:5 3.7:2  4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4  7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1  9.1:3 9.2:4  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1  12.1:3 12.2:2 12.3:4  13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3  15.1:3 15.2:3 15.3:7  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3  17.1:1 17.2:4 17.3:2`

const allItems = [...sections.matchAll(/(\d+\.\d+):(\d+)/g)].flatMap(([, part = '', last = '']) =>
  Array.from({ length: Number(last) }, (_, nth) => `${part}.${nth + 1}`),
)

const asvs = section('## ASVS 5.0.0, levels 1 and 2')
/** "- **1.2.3** deviates. What it means here.", with what shows it in a list inside. */
const statedAs = (status: string, heading: string) =>
  itemsOf(section(heading)).map(({ text, inside }) => {
    const [, item = '', words = ''] = new RegExp(`^\\*\\*([\\d.]+)\\*\\* ${status}\\. (.+)$`).exec(text) ?? []
    return { item, words, inside }
  })
const deviating = statedAs('deviates', '### Deviates')
const outside = statedAs('outside', '### Outside')
const holdingItems = Object.values(holding).flat()
const notHereItems = notHere.flatMap(({ items }) => items)

describe('docs/understand/security.md', () => {
  test('cites only tests that exist, by their titles', () => {
    const citations = [...citationsIn(document), ...Object.values(threats).flat().map(citationOf)]
    expect(citations.length).toBeGreaterThan(180)
    expect(broken(citations)).toEqual([])
  })

  test('would notice a test that was renamed or taken away', () => {
    const [file, title] = ['tests/rules/security.test.ts', 'would notice a test that was renamed or taken away']
    expect(broken([{ file, title }])).toEqual([])
    expect(broken([{ file, title: `${title} ` }])).toHaveLength(1)
    expect(broken([{ file: 'gone.test.ts', title: undefined }])).toEqual(['gone.test.ts'])
  })

  test('says of each threat what stops it and what remains, and a test shows it', () => {
    const written = section('## Threats')
      .split(/^### /m)
      .slice(1)
      .map((part) => {
        const [heading = '', ...below] = part.split('\n')
        return { heading, below: below.join(' ').split('**Remains:** ') }
      })
    expect(written.length).toBeGreaterThan(60)
    expect(written.map(({ heading }) => heading)).toEqual(Object.keys(threats))
    for (const { heading, below } of written) {
      expect(below, heading).toHaveLength(2)
      const [stops = '', remains = ''] = below
      expect(stops.trim().length, heading).toBeGreaterThan(10)
      expect(remains.trim().length, heading).toBeGreaterThan(5)
      expect(threats[heading]?.length, heading).toBeGreaterThan(0)
    }
  })

  test('goes through every item of the standard once, and counts them rightly', () => {
    expect(allItems).toHaveLength(253)
    const named = [...holdingItems, ...[...deviating, ...outside].map(({ item }) => item), ...notHereItems]
    expect(named.filter((item, at) => named.indexOf(item) !== at)).toEqual([])
    expect(named.toSorted()).toEqual(allItems.toSorted())
    const counts = /(\d+) hold, (\d+) deviate, (\d+) are left to the environment, and (\d+) do not apply/.exec(asvs)
    const counted = [holdingItems.length, deviating.length, outside.length, notHereItems.length]
    expect(counts?.slice(1).map(Number)).toEqual(counted)
  })

  test('shows by a test what holds, and says why the rest does not', () => {
    expect(broken(Object.keys(holding).map(citationOf))).toEqual([])
    for (const { item, words, inside } of [...deviating, ...outside]) {
      expect(words.length, item).toBeGreaterThan(10)
      // Nothing but citations and links, so that none is overlooked for the way it is written.
      for (const line of inside) expect(withoutCitations(line.replaceAll(LINK, '')), item).toBe('')
    }
    for (const { item, inside } of deviating) expect(inside.length, item).toBeGreaterThan(0)
    for (const { items, why } of notHere) expect(why.length, items.join(', ')).toBeGreaterThan(5)
  })
})

const using = (pattern: RegExp, within: (file: string) => boolean = () => true): string[] =>
  code.filter((file) => within(file) && pattern.test(read(file))).toSorted()
const inServer = (file: string): boolean => file.startsWith('server/')
const inWeb = (file: string): boolean => file.startsWith('web/')
const inProduction = (file: string): boolean => !file.startsWith('web/src/demo-wallet/')
/** Files named between backticks. */
const filesIn = (markdown: string): string[] =>
  [
    ...new Set([...markdown.matchAll(/`((?:server|web|client)\/[\w./-]+\.tsx?)`/g)].map(([, file = '']) => file)),
  ].toSorted()

describe('its lists are complete', () => {
  test('every file that hashes, signs, encrypts or draws at random is in the inventory of cryptography', () => {
    const cryptography =
      /from 'node:crypto'|@noble\/|instantiateSecp256k1|\b(?:keccak256|hashMessage|hashTypedData|privateKeyToAccount|getRandomValues)\(/
    const inventory = section('### Keys and cryptography')
    expect(filesIn(inventory)).toEqual(using(cryptography, inProduction))
  })

  test('no hash, cipher or source of chance is used that is not in it', () => {
    const named = using(/create(?:Hash|Hmac|Cipheriv|Decipheriv)\('(?!sha256'|aes-128-ecb')/)
    expect(named).toEqual([])
    expect(using(/'aes-128-ecb'|@noble\/ciphers/)).toEqual(['client/envelope.ts', 'server/src/http/gateway/gateway.ts'])
    // Where retries are spread over time, and nowhere else.
    expect(using(/Math\.random\(/)).toEqual(['server/src/db/open.ts'])
  })

  test('every table of the database has its class', () => {
    const sql = tracked.filter(under('server/src/db/migrations')).map(read).join('\n')
    const names = (pattern: RegExp) => [...sql.matchAll(pattern)].map(([, name = '']) => name)
    const dropped = names(/^drop table (?:if exists )?(\w+)/gm)
    const tables = names(/^create table (?:if not exists )?(\w+)/gm).filter((name) => !dropped.includes(name))
    const classes = itemsOf(section('### Data'))
    expect(classes.map(({ text }) => text)).toEqual(['**secret**', '**personal**', '**internal**', '**public**'])
    for (const { text, inside } of classes) expect(labelled('protection', inside).join(''), text).not.toBe('')
    const classed = classes.flatMap(({ inside }) =>
      [
        ...labelled('where', inside)
          .join(' ')
          .matchAll(/`(\w+)`/g),
      ].map(([, name = '']) => name),
    )
    expect(tables.filter((name) => !classed.includes(name))).toEqual([])
  })

  test('everything that a browser keeps is named', () => {
    const opens = (file: string) => inWeb(file) && inProduction(file)
    // The page's first script reads whether there is a token.
    expect(using(/(?<!`)localStorage/, opens)).toEqual(['web/src/lib/storage.ts', 'web/src/navigation/first-paint.ts'])
    const [, list = ''] = /deviceKeys = \[(.*?)\] as const/s.exec(read('web/src/lib/storage.ts')) ?? []
    const keys = [...list.matchAll(/'(\w+)'/g)].map(([, key = '']) => key)
    expect(keys).toContain('token')
    const named = [...section('### In the browser').matchAll(/`(\w+)`/g)].map(([, key = '']) => key)
    expect(keys.filter((key) => !named.includes(key))).toEqual([])
    // Its one entry has its name in that script.
    expect(using(/sessionStorage/, inWeb)).toEqual(['web/src/navigation/first-paint.ts'])
    expect(named).toContain('reloaded')
    expect(using(/indexedDB|document\.cookie/, inWeb)).toEqual([])
    // Its own files alone: `shell-cache.test.ts` shows that no answer of the API is kept.
    expect(using(/caches\.open/, opens)).toEqual(['web/src/service-worker/shell-cache.ts'])
    // Whether one answers for the page is all that the other file asks.
    expect(using(/navigator\.serviceWorker/, opens)).toEqual([
      'web/src/lib/load-file.ts',
      'web/src/service-worker/follow-builds.ts',
    ])
  })

  test('what is open to everybody is exactly what it says', () => {
    const open = Object.entries(endpoints).flatMap(([key, { auth }]) => (auth === 'public' ? [key] : []))
    const said = [...section('### Who may do what').matchAll(/`((?:GET|POST) \w+\/\w+)`/g)].map(([, key = '']) => key)
    expect(said.toSorted()).toEqual(open.toSorted())
  })

  test('every place that opens a connection, listens or starts a process is named', () => {
    const reaches =
      /from 'node:(?:child_process|http|https|http2|net|tls|dgram|dns)'|from 'pg'|from 'graphile-worker'|\bcreateClient\(|createPublicClient\(|(?<![.\w])fetch\(|new (?:WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon/
    const harmless = /import \{ is(?:IP|IPv6) \} from 'node:net'|import type .* from '(?:node:net|node:http|pg)'/g
    const found = code.filter((file) => inServer(file) && reaches.test(read(file).replaceAll(harmless, '')))
    expect(filesIn(section('### Connections'))).toEqual(found.toSorted())
  })
})

test('every package that would run something when it is installed is named, and denied in package.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: true }>
  }
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  const names = Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
    hasInstallScript === true ? [place.replace(/^.*node_modules\//, '')] : [],
  )
  expect(names.length).toBeGreaterThan(0)
  expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])))
  const named = [...section('### Components').matchAll(/`([\w@/*-]+)`/g)].map(([, name = '']) => name)
  expect(names.filter((name) => !named.includes(name.replace(/\/.*/, '/*')))).toEqual([])
})

/** Lines of programs of development, without comments. */
const linesOf = (pattern: RegExp) =>
  development.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => pattern.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )

describe('rules of the source', () => {
  test('text is never made HTML, and nothing runs text as code', () => {
    const html = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|srcdoc|DOMParser/
    const evaluated = /\beval\(|new Function\(|from 'node:vm'|setTimeout\(\s*['"`]|createContextualFragment/
    expect(using(html)).toEqual([])
    expect(using(evaluated)).toEqual([])
  })

  test('statements hold no text that comes from outside', () => {
    // Everything else is a parameter: kysely puts what stands in a template into the list of values.
    // `any-of.ts` names a table and its columns, as quoted names that its callers' types limit to those of the schema.
    expect(using(/\bsql\.(?:raw|id|ref|table)\b|\.unsafe\(|\.query\(\s*`/)).toEqual([
      'server/src/db/any-of.ts',
      'server/src/db/migrate.ts',
    ])
    const literals = using(/\bsql\.lit\(/).flatMap((file) => [...read(file).matchAll(/sql\.lit\((\w+)\)/g)])
    // The last is Postgres' own name of a snapshot, which no statement takes as a parameter.
    const ours = new Set<string | undefined>(['TOP', 'batchSize', 'exportedSnapshot'])
    expect(literals.map(([, name]) => name).filter((name) => !ours.has(name))).toEqual([])
  })

  test('the page speaks to no other window, goes to no other site, and opens none but links of the explorer', () => {
    expect(using(/window\.open|\.opener\b/, inWeb)).toEqual([])
    // With its own service worker it does: one word, that a new build may begin.
    expect(using(/postMessage|addEventListener\('message'/, inWeb).toSorted()).toEqual([
      'web/src/service-worker/follow-builds.ts',
      'web/src/service-worker/service-worker.ts',
    ])
    expect(using(/location\.(?:assign|replace)\(|location(?:\.href)? = /, inWeb)).toEqual([])
    expect(using(/target="_blank"/, inWeb)).toEqual(['web/src/ui/control/chain-link.tsx'])
    expect(read('web/src/ui/control/chain-link.tsx')).toContain('rel="noreferrer"')
  })

  test('no pattern is made of what somebody sends', () => {
    const made = using(/new RegExp\(/).flatMap((file) => [...read(file).matchAll(/new RegExp\((.*)\)/g)])
    expect(made.flatMap(([, pattern = '']) => [...pattern.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))).toEqual([
      'RANDOM_DIGITS',
      'PROOF_DIGITS',
    ])
  })

  test('the server opens files only by its own settings, never for a request', () => {
    const files = using(/from 'node:fs/, inServer)
    expect(files.filter((file) => /^server\/src\/(?:api|http|modules|ledger|jobs)\//.test(file))).toEqual([])
  })

  test('certificates are checked wherever there are any', () => {
    expect(using(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|insecureHTTPParser/)).toEqual([])
  })

  test('programs of development listen on this machine alone, and give a shell no text that they have put together', () => {
    for (const folder of ['testing/postgres/', 'testing/process/'])
      expect(development.some((file) => file.startsWith(folder))).toBe(true)
    const listening = linesOf(/\.listen\((?!\()|listen_addresses|'--host'/)
    expect(listening.length).toBeGreaterThan(2)
    expect(listening.filter((line) => !line.includes("'127.0.0.1'"))).toEqual([])
    expect(linesOf(/'\/bin\/sh'/).length).toBeGreaterThan(0)
    expect(linesOf(/(?<!\.)\bexec(?:Sync)?\(|shell: true|'\/bin\/sh'.*`/)).toEqual([])
    expect(linesOf(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|\beval\(|new Function\(/)).toEqual([])
  })

  test('no parser reads XML, YAML or objects that are more than data', () => {
    expect(using(/xml2js|fast-xml|DOMParser|js-yaml|from 'node:v8'|deserialize\(|structuredClone\(JSON/)).toEqual([])
  })
})
