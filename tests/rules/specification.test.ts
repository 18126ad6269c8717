import { endpointRoute } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { CHAIN_ID, CHAIN_ID_HEX, PLAIN_TRANSFER_GAS, RECHARGE_GAS } from '@candela/protocol/chain/network'
import { DEFAULT_LANGUAGE, languages } from '@candela/protocol/language'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { describe, expect, test } from 'vitest'
import { broken, citationOf, citationsIn, itemsOf, read } from './support/citations.ts'
import { requirements as shownBy } from './shown-by/specification.ts'
import { limits } from '../../web/src/api/settings/settings.ts'

/** Keeps docs/reference/specification.md true: each requirement names tests that exist, or says that it has none. */

/** May only become smaller. */
const WITHOUT_A_TEST = 2

const document = read('docs/reference/specification.md')
const sections = document.split(/^## /m).slice(1)
/** "**1.2** What is asked for." */
const requirements = itemsOf(document).map(({ text }) => {
  const [, number = '', words = ''] = /^\*\*(\d\.\d+)\*\* (.+)$/.exec(text) ?? []
  return { number, words }
})

describe('docs/reference/specification.md', () => {
  test('walks the nine sections of the description', () => {
    expect(sections.map((section) => Number(/^\d+/.exec(section)?.[0]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const section of sections) expect(itemsOf(section).length).toBeGreaterThan(1)
    expect(requirements.length).toBeGreaterThan(80)
  })

  test('each test that it names exists under that title', () => {
    const citations = Object.values(shownBy).flat().map(citationOf)
    expect(citations.length).toBeGreaterThan(100)
    expect(broken(citations)).toEqual([])
  })

  test('each requirement has a number and a test, but for those that say why they have none', () => {
    const numbers = requirements.map(({ number }) => number)
    expect(numbers.filter((number, at) => number === '' || numbers.indexOf(number) !== at)).toEqual([])
    const untested = requirements.filter(({ number }) => (shownBy[number]?.length ?? 0) === 0)
    expect(untested.filter(({ words }) => !words.includes('No test yet: '))).toEqual([])
    expect(untested.length).toBe(WITHOUT_A_TEST)
    expect(Object.keys(shownBy).filter((number) => !numbers.includes(number))).toEqual([])
  })

  test('a test that is gone would be noticed', () => {
    const gone = citationsIn('`tests/rules/security.test.ts` "no such title" and `gone.test.ts` "whatever"')
    expect(broken(gone)).toEqual(['tests/rules/security.test.ts: "no such title"', 'gone.test.ts'])
  })
})

/** As the description has them. */
const calls = {
  GET: [
    'auth/loginMessage',
    'user/priceInfo',
    'power/calc',
    'user/minPerformanceRank',
    'user/todayPerformanceRank',
    'transfer/list',
    'user/powerLog',
    'withdraw/list',
    'user/info',
    'user/zhiList',
    'power/orderList',
    'user/incomeList',
    'exchange/list',
  ],
  POST: [
    'auth/login',
    'auth/isRegister',
    'transfer/index',
    'withdraw/apply',
    'power/getOrder',
    'user/updateJuUid',
    'exchange/index',
  ],
} as const

test('each path of the description is in the endpoint table, with its method', () => {
  const wanted = Object.entries(calls).flatMap(([method, paths]) => paths.map((path) => `${method} ${path}`))
  expect(wanted).toHaveLength(20)
  expect(wanted.filter((key) => !Object.hasOwn(endpoints, key))).toEqual([])
  for (const key of wanted) {
    const [method, path] = key.split(' ')
    expect(endpointRoute(key as Key)).toEqual({ method, path: `/api/v1/${path}` })
    expect(document).toContain(`\`${path}\``)
  }
})

test('the constants of the description are those of the code', () => {
  expect([CHAIN_ID, CHAIN_ID_HEX]).toEqual([210_000, '0x33450'])
  expect([RECHARGE_GAS, PLAIN_TRANSFER_GAS]).toEqual([1_000_000n, 2_000_000n])
  expect(limits).toEqual({ timeoutMs: 50_000, retries: 0, retryDelayMs: 1_000 })
  expect(WHOLE_UNIT).toBe(10n ** 18n)
  expect(languages.toSorted()).toEqual(['en', 'tw', 'zh'])
  expect(DEFAULT_LANGUAGE).toBe('tw')
})
