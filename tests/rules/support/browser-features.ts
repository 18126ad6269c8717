/**
 * Compares what built files ask of a browser with the public data on which browser has what since when. Names alone are looked at: a
 * method counts as too new when no object that this data knows has had one of its name for long enough.
 */
import given from '@mdn/browser-compat-data' with { type: 'json' }
import { parse as parseStyles } from 'postcss'
import { parseAst } from 'vite'

type Support = {
  version_added: string | boolean | null
  flags?: unknown
  prefix?: string
  alternative_name?: string
  partial_implementation?: boolean
}
type Compat = { support: Record<string, Support | Support[] | undefined> }
type Branch = { [name: string]: Branch }
type Data = {
  api: Branch
  css: { properties: Branch; selectors: Branch; types: Branch; 'at-rules': Branch }
  javascript: { builtins: Branch }
}
export type Browsers = Readonly<Record<'chrome' | 'safari' | 'firefox', string>>

const data = given as unknown as Data

/** The data's own facts of a branch, beside what is below it. */
const compatOf = (branch: Branch | undefined): Compat | undefined =>
  branch?.['__compat'] as unknown as Compat | undefined

/** In the data, phones' browsers are counted apart: a feature may have come to them later. */
const families = {
  chrome: ['chrome', 'webview_android'],
  safari: ['safari', 'safari_ios'],
  firefox: ['firefox'],
} as const

const isSince = (version: string, limit: string): boolean => {
  const [parts, limits] = [version, limit].map((text) => text.replace('≤', '').split('.').map(Number)) as [
    number[],
    number[],
  ]
  const difference = [0, 1].map((at) => (parts[at] ?? 0) - (limits[at] ?? 0)).find((each) => each !== 0)
  return (difference ?? 0) <= 0
}

/** The browsers of the list that do not have it, each with the version since which they do. */
function missingIn({ support }: Compat, oldest: Browsers): string[] {
  return (Object.keys(families) as (keyof Browsers)[]).flatMap((family) => {
    const since = families[family].flatMap((name) => {
      const entries = [support[name] ?? []].flat()
      // A feature without an entry for a WebView is as in Chrome.
      if (entries.length === 0) return []
      const own = entries.filter(
        (entry) => entry.flags === undefined && entry.prefix === undefined && entry.alternative_name === undefined,
      )
      const has = own.some(
        ({ version_added: added }) =>
          added === true || (typeof added === 'string' && added !== 'preview' && isSince(added, oldest[family])),
      )
      return has ? [] : [`${name} ${String(own[0]?.version_added ?? false)}`]
    })
    return since
  })
}

/** Objects of the browser whose methods the app calls; names of the many others are those of everybody's own objects. */
const judgedOwners =
  /^(?:HTML\w*Element|Element|Node|Document|Event|EventTarget|Window|Navigator|History|Crypto|SubtleCrypto|Abort\w+|Request|Response|Headers|Blob|File|FormData|URL|URLSearchParams|Storage|MediaQueryList|Animation|\w*Stream|Text\w+|WebSocket|Cache\w*|ServiceWorker\w*)$/

/** Every name that an object of the language or of the browser may have, with the objects. */
const owners = new Map<string, { owner: string; compat: Compat; isJudged: boolean }[]>()
const globals = new Map<string, Compat>()
const isJudged = (owner: string, inLanguage: boolean) => (inLanguage ? owner !== 'Temporal' : judgedOwners.test(owner))
for (const [owner, members, inLanguage] of [
  ...Object.entries(data.javascript.builtins).map(([name, branch]) => [name, branch, true] as const),
  ...Object.entries(data.api).map(([name, branch]) => [name, branch, false] as const),
]) {
  const whole = compatOf(members)
  if (whole !== undefined) globals.set(owner, whole)
  for (const [member, branch] of Object.entries(members)) {
    const compat = compatOf(branch)
    if (compat === undefined || member.endsWith('_event')) continue
    const name = member.replace(/_static$/, '')
    owners.set(name, [...(owners.get(name) ?? []), { owner, compat, isJudged: isJudged(owner, inLanguage) }])
  }
}
for (const where of ['Window', 'WorkerGlobalScope'])
  for (const [name, branch] of Object.entries(data.api[where] ?? {})) {
    const compat = compatOf(branch)
    if (compat !== undefined && !globals.has(name)) globals.set(name, compat)
  }

/** Objects that are there under another name than that of their kind. */
const kinds: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  window: 'Window',
  crypto: 'Crypto',
  location: 'Location',
  history: 'History',
  performance: 'Performance',
}

export type Finding = { what: string; missingIn: string[] }

type Node = { type: string; [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function visit(node: Node, see: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  see(node, parent)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see, node)
}

/** Syntax after ES2021 but class fields and private methods, which the list's browsers have; the data does not tell it by name. */
const newSyntax: Readonly<Record<string, (node: Node) => boolean>> = {
  'static block': ({ type }) => type === 'StaticBlock',
  '#name in': ({ type, left }) => type === 'BinaryExpression' && isNode(left) && left.type === 'PrivateIdentifier',
  'import attributes': ({ type, attributes }) =>
    type.startsWith('Import') && Array.isArray(attributes) && attributes.length > 0,
  using: ({ type, kind }) => type === 'VariableDeclaration' && String(kind).includes('using'),
  // The engine of Chromium before 91 calls the function without what comes after it.
  'spread before the last of an optional call': ({ type, optional, arguments: passed }) =>
    type === 'CallExpression' &&
    optional === true &&
    Array.isArray(passed) &&
    passed.slice(0, -1).some((each: Node) => each.type === 'SpreadElement'),
  'regular expression with v or d, or that looks behind': ({ type, regex }) => {
    if (type !== 'Literal' || regex === undefined || regex === null) return false
    const { pattern, flags } = regex as { pattern: string; flags: string }
    return /[vd]/.test(flags) || /\(\?<[=!]/.test(pattern) || /\(\?[ims-]+:/.test(pattern)
  },
}

export function scriptFindings(code: string, oldest: Browsers): Finding[] {
  const found = new Map<string, string[]>()
  const note = (what: string, missing: string[]) => missing.length > 0 && found.set(what, missing)
  const program = parseAst(code) as unknown as Node
  visit(program, (node, parent) => {
    for (const [what, is] of Object.entries(newSyntax)) if (is(node)) note(what, ['by list'])
    if (node.type === 'AwaitExpression') return
    if (node.type === 'MemberExpression' && isNode(node['property'])) {
      const { object, property, computed } = node as Node & { object: Node; property: Node; computed: boolean }
      const name = computed
        ? property.type === 'Literal'
          ? String(property['value'])
          : null
        : String(property['name'])
      if (name === null || property.type === 'PrivateIdentifier') return
      const known = owners.get(name) ?? []
      if (known.length === 0) return
      const of = object.type === 'Identifier' ? String(object['name']) : ''
      const own = known.filter(({ owner }) => owner === (kinds[of] ?? of))
      const judged = own.length > 0 ? own : known
      const isCalled = parent?.type === 'CallExpression' && parent['callee'] === node
      if (own.length === 0 && !(isCalled && known.some(({ isJudged: is }) => is))) return
      const missing = judged.map(({ compat }) => missingIn(compat, oldest))
      if (missing.every((each) => each.length > 0))
        note(own.length > 0 ? `${of}.${name}` : `.${name}`, missing[0] ?? [])
      return
    }
    if (node.type !== 'Identifier') return
    const compat = globals.get(String(node['name']))
    const isKey =
      parent !== null && (parent['property'] === node || (parent['key'] === node && parent['value'] !== node))
    if (compat !== undefined && !isKey) note(String(node['name']), missingIn(compat, oldest))
  })
  return [...found].map(([what, missing]) => ({ what, missingIn: missing }))
}

const compatsOf = (branch: Branch | undefined, path: readonly string[]): Compat | undefined =>
  compatOf(path.reduce<Branch | undefined>((at, name) => at?.[name], branch))

/** Functions and units of values that the data has elsewhere than at their property. */
const valueMarks: readonly [RegExp, readonly string[]][] = [
  [/color-mix\(/, ['color', 'color-mix']],
  [/light-dark\(/, ['color', 'light-dark']],
  [/\boklch\(/, ['color', 'oklch']],
  [/\d(?:[dsl]v[hw]|[dsl]vmin)\b/, ['length', 'viewport_percentage_units_dynamic']],
  [/\dcq[wihb]\b/, ['length', 'container_query_length_units']],
]

export function styleFindings(css: string, oldest: Browsers): Finding[] {
  const found = new Map<string, string[]>()
  const note = (what: string, compat: Compat | undefined) => {
    const missing = compat === undefined ? [] : missingIn(compat, oldest)
    if (missing.length > 0) found.set(what, missing)
  }
  const { properties, selectors, types, 'at-rules': atRules } = data.css
  parseStyles(css).walk((node) => {
    for (let at = node.parent; at !== undefined && at.type !== 'document'; at = at.parent as typeof at)
      if (at.type === 'atrule' && 'name' in at && at.name === 'supports') return
    if (node.type === 'atrule') note(`@${node.name}`, compatsOf(atRules, [node.name]))
    if (node.type === 'rule') {
      if (node.parent?.type === 'rule' || node.selector.includes('&'))
        note('nested rule', compatsOf(selectors, ['nesting']))
      for (const [, name = ''] of node.selector.matchAll(/::?([a-z-]+)/g))
        note(`:${name}`, compatsOf(selectors, [name]))
    }
    if (node.type !== 'decl' || node.prop.startsWith('--')) return
    const { prop, value } = node
    // A browser that does not know the value keeps the one before; not where a property of one's own is in it, which is read too late.
    const before = node.parent?.nodes.slice(0, node.parent.index(node)) ?? []
    if (!value.includes('var(') && before.some((each) => each.type === 'decl' && each.prop === prop)) return
    note(prop, compatsOf(properties, [prop]))
    for (const word of value.split(/[\s,]+/)) note(`${prop}: ${word}`, compatsOf(properties, [prop, word]))
    for (const [mark, path] of valueMarks) if (mark.test(value)) note(`${prop}: ${path.at(-1)}`, compatsOf(types, path))
  })
  return [...found].map(([what, missing]) => ({ what, missingIn: missing }))
}
