import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { translator } from './translate.ts'
import { catalogs as typed, textFiles } from './testing-catalogs.ts'

const catalogs: Record<string, Record<string, string>> = typed
const keys = Object.keys(typed.tw)

/** Written with the same characters in both ways of writing Chinese, and meant to be the same. */
const sameInChinese = new Set([
  'buy.pay',
  'exchange.from',
  'exchange.paid',
  'income.totalUnits',
  'order.state.pending',
  'order.pay',
  'pending.borrow',
  'pending.done',
  'pending.other',
  'route.list',
  'ui.cancel',
  'ui.more',
  'figure.fundRate',
  'solvency.and',
  'solvency.over',
  'solvency.history',
  'solvency.agrees',
  'solvency.differs',
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
  'notice.loanOverdue',
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
  'finance.yesterday',
  'finance.day',
  'finance.lent',
  'finance.period.all',
  'finance.period.halfYear',
  'finance.period.year',
  'finance.ofDay',
  'finance.type.earnings',
  'finance.profit',
  'loans.status.safe',
  'loans.debt',
  'loans.state.installment',
  'loans.state.overdue',
  'loans.aYear',
  'loans.dueOn',
  'loans.installments',
  'loans.aDay',
  'project.borrowedOf',
  'project.limits',
  'project.ceilingOwed',
  'project.rate',
  'project.tooSmall',
  'project.days',
  'project.perDayNote',
  'project.done',
  'lending.rate',
  'lending.times',
  'lending.principal',
  'lending.interest',
  'lending.dueNo',
  'lending.paidOf',
  'lending.duePaid',
  'lending.mode.amount',
  'lending.feeEach',
  'lending.dueDay',
  'lending.releasable',

  'lending.wholeDebt',
  'lending.halfDebt',
  'repayments.part',
  'repayments.part.principal',
  'repayments.part.interest',
  'lever.times',
  'lever.rate',
  'lever.risk.low',
  'lever.risk.medium',
  'lever.risk.high',
  'lever.percentHint',
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
const isTexts = (file: string) => /(?:^|[-/])texts(?:\.\w+)?\.ts$/.test(file) || file.startsWith('shell/initial-texts/')
const showsTexts = (file: string) =>
  /\.tsx?$/.test(file) && !file.startsWith('i18n') && !file.includes('.test.') && !isTexts(file)

/** Lists the keys that these files name, by the whole or by the beginning of it. */
function keysIn(files: readonly string[]): string[] {
  const sources = files.map(read).join('\n')
  const beginnings = [...sources.matchAll(/`([a-z][\w.]*\.)\$\{/gi)].map(([, beginning = '']) => beginning)
  return keys.filter((key) => sources.includes(`'${key}'`) || beginnings.some((beginning) => key.startsWith(beginning)))
}

/** The files of this app that a file imports at once, not those that it loads later. */
const importsIn = (file: string): string[] =>
  [...read(file).matchAll(/^(?:import|export) (?!type )[^'"]*from '(\.[^']+\.tsx?)'/gm)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  )

/** A file and all that is loaded with it. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const target of importsIn(file)) loadedWith(target, seen)
  return seen
}

const keysOf = (file: string): string[] => [...read(file).matchAll(/^ {2}'([\w.]+)':/gm)].map(([, key = '']) => key)

const main = [...loadedWith('main.tsx')]
const initial = importsIn('texts/tw/initial.ts').flatMap(keysOf)

/** The screens that are loaded later: the code's file and the files with the texts that come with it. */
const lazyScreens = [
  'screens/other-screens.ts',
  'screens/home/home.tsx',
  'screens/home/visitor.tsx',
  'shell/dialog-files.ts',
].flatMap((file) => {
  const folder = path.posix.dirname(file)
  return [...read(file).matchAll(/code: \(\) => import\('([^']+)'\),\s*texts: \[([^\]]*)\]/g)].map(
    ([, code = '', listed = '']) => ({
      code: path.posix.join(folder, code),
      texts: [...listed.matchAll(/'([\w-]+)'/g)].map(([, area = '']) => `texts/tw/${area}.ts`),
    }),
  )
})

describe('among the sources', () => {
  test('every text is used', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(showsTexts)
    const used = new Set(keysIn(files))
    expect(keys.filter((key) => !used.has(key))).toEqual([])
  })

  test('no key is in two files', () => {
    expect(textFiles('tw').flatMap(keysOf).toSorted()).toEqual(keys.toSorted())
  })

  test('what comes with the first load shows only texts that come with it', () => {
    expect(main).toContain('screens/home/visitor.tsx')
    expect(main).not.toContain('screens/home/user.tsx')
    expect(keysIn(main.filter(showsTexts)).filter((key) => !initial.includes(key))).toEqual([])
  })

  test('every screen that is loaded later is known here', () => {
    const loaded = [...main, 'screens/other-screens.ts'].flatMap((file) =>
      [...read(file).matchAll(/import\('(\.[^']+\.tsx)'\)/g)].map(([, target = '']) =>
        path.posix.join(path.posix.dirname(file), target),
      ),
    )
    expect(loaded).toContain('screens/home/user.tsx')
    expect(lazyScreens.map(({ code }) => code).toSorted()).toEqual(loaded.toSorted())
  })

  test.each(lazyScreens)('$code shows only texts that come with it or with the first load', ({ code, texts }) => {
    const there = new Set([...initial, ...texts.flatMap(keysOf)])
    const shown = keysIn([...loadedWith(code)].filter((file) => showsTexts(file) && !main.includes(file)))
    expect(shown.filter((key) => !there.has(key))).toEqual([])
    // Nor are texts loaded of which it shows none.
    expect(texts.filter((file) => !keysOf(file).some((key) => shown.includes(key)))).toEqual([])
  })
})

describe('filling', () => {
  test('puts values where their names stand', () => {
    expect(translator(typed.en)('pay.confirmations', { done: 3, needed: 12 })).toBe('3 of 12 confirmations')
  })

  test('takes values literally', () => {
    expect(translator(typed.en)('visit.invited', { code: '$& {b} [c]' })).toContain('code $& {b} [c].')
  })
})
