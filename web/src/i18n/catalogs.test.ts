import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fill, translator } from './translate.ts'
import { catalogs as typed } from './testing-catalogs.ts'
import { first } from './tw/first.ts'

const catalogs: Record<string, Record<string, string>> = typed
const keys = Object.keys(typed.tw)

/** Written with the same characters in both ways of writing Chinese, and meant to be the same. */
const sameInChinese = new Set([
  'route.list',
  'ui.cancel',
  'ui.more',
  'figure.fundRate',
  'home.uid',
  'home.power',
  'home.everything',
  'home.dueDate',
  'buy.from',
  'order.all',
  'order.state.expired',
  'order.state.cancelled',
  'order.paid',
  'order.payer',
  'order.runsText',
  'order.term',
  'friends.joined',
  'amount.max',
  'transfer.next',
  'command.close',
  'command.edit',
  'transfer.receivedFrom',
  'friends.power',
  'statement.group.all',
  'statement.group.income',
  'statement.open',
  'notice.powerExpired',
  'device.seen',
  'device.on',
  'pay.transaction',
  'deposit.state.announced',
  'deposit.state.lapsed',
  'deposit.payer',
  'withdraw.minimum',
  'list.place',
  'mine.uid',
  'list.top',
  'withdraw.next',
  'withdraw.state.done',
  'withdraw.transaction',
  'income.all',
  'income.ofDay',
  'income.lateDeposit',
  'hash.activated',
  'hash.expired',
  'hash.payment',
])
/** Names and signs that no language translates. */
const sameEverywhere = new Set(['home.uid'])

const given = (texts: Record<string, string>) => keys.map((key) => [key, ...names(texts[key] ?? '')])
const names = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted((a, b) => a.localeCompare(b))

describe.each(Object.keys(catalogs))('the catalog %s', (language) => {
  const catalog = catalogs[language]!

  test('has every key and no other', () => {
    expect(Object.keys(catalog).toSorted()).toEqual(keys.toSorted())
  })

  test('says something under every key', () => {
    expect(keys.filter((key) => catalog[key]?.trim() === '')).toEqual([])
  })

  test('takes the same values as the default language', () => {
    expect(given(catalog)).toEqual(given(typed.tw))
  })
})

test('no text is left in another language by mistake', () => {
  const [z, w, e] = [catalogs['zh']!, catalogs['tw']!, catalogs['en']!]
  expect(keys.filter((key) => z[key] === w[key] && !sameInChinese.has(key))).toEqual([])
  expect(keys.filter((key) => (z[key] === e[key] || w[key] === e[key]) && !sameEverywhere.has(key))).toEqual([])
  expect([...sameInChinese].filter((key) => z[key] !== w[key])).toEqual([])
  expect(keys.filter((key) => /\p{Script=Han}/u.test(e[key] ?? ''))).toEqual([])
})

test('no mainland word has slipped into the Taiwanese texts', () => {
  const mainland = /钱|户|账|链|软件|网络|信息|登录|默认|设置|质量|视频|提现|刷新|二维码|激活/
  expect(keys.filter((key) => mainland.test(catalogs['tw']![key] ?? ''))).toEqual([])
  const taiwanese = /錢|戶|帳|鏈|網路|訊息|登入|提領|簽署|您/
  expect(keys.filter((key) => taiwanese.test(catalogs['zh']![key] ?? ''))).toEqual([])
})

const app = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(app, file), 'utf8')
const speaks = (file: string) => /\.tsx?$/.test(file) && !file.startsWith('i18n') && !file.includes('.test.')

/** Which keys these files name, by the whole or by the beginning of it. */
function keysIn(files: readonly string[]): string[] {
  const sources = files.map(read).join('\n')
  const beginnings = [...sources.matchAll(/`([a-z][\w.]*\.)\$\{/gi)].map(([, beginning = '']) => beginning)
  return keys.filter((key) => sources.includes(`'${key}'`) || beginnings.some((beginning) => key.startsWith(beginning)))
}

/** A file and all that is loaded with it. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const imports = read(file).matchAll(/^(?:import|export) (?!type )[^'"]*from '(\.[^']+\.tsx?)'/gm)
  for (const [, target = ''] of imports) loadedWith(path.join(path.dirname(file), target), seen)
  return seen
}

describe('among the sources', () => {
  test('every text is used', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(speaks)
    const used = new Set(keysIn(files))
    expect(keys.filter((key) => !used.has(key))).toEqual([])
  })

  test('what comes with the first load says only what comes with it', () => {
    const files = [...loadedWith('main.tsx')]
    expect(files).toContain(path.normalize('screens/home/visitor.tsx'))
    expect(files).not.toContain(path.normalize('screens/home/user.tsx'))
    expect(keysIn(files.filter(speaks)).filter((key) => !(key in first))).toEqual([])
  })
})

describe('filling', () => {
  test('puts values where their names stand', () => {
    expect(translator(typed.en)('pay.confirmations', { done: 3, needed: 12 })).toBe('3 of 12 confirmations')
  })

  test('leaves a name without a value visible, and takes values literally', () => {
    expect(fill('{a} and {b}', { a: '$& {b}' })).toBe('$& {b} and {b}')
  })
})
