import { describe, expect, test } from 'vitest'
import { apiTexts } from '../texts/api-texts.ts'
import { endpoints, type Key } from '../endpoints.ts'
import { fieldName, inputMessage, problemOf } from './input-problems.ts'
import { fillMessage } from './fill-message.ts'
import { inputProblems } from './problems.ts'
import { type Language, languages } from '../language.ts'
import { MAX_INPUT_AMOUNT } from '../money/money.ts'

const keys = Object.keys(endpoints) as Key[]
const fieldsOf = (key: Key) => Object.keys(endpoints[key].input.shape)
const problems = inputProblems

/** Characters that only one of the two Chinese scripts has. */
const mainland = /钱|户|账|链|登录|设备|请|验证|签|额|单|应|这|时|后|币|资|产|银|编|号|数|类/
const taiwanese = /錢|戶|帳|鏈|登入|裝置|請|驗證|簽|額|單|應|這|時|後|幣|資|產|編|號|數|類|您/

/** Correctly the same in both scripts. */
const sameInChinese = new Set(['日期', '方案'])

describe.each(keys.filter((key) => fieldsOf(key).length > 0))('%s', (key) => {
  test.each(languages)('has a label for each of its fields, and no two are the same (%s)', (language) => {
    const names = fieldsOf(key).map((field) => fieldName(field, language, key))
    for (const name of names) expect(name?.trim()).toMatch(/./)
    expect(new Set(names).size).toBe(names.length)
    // Wire names such as "maxPayable" or "sign_message" are for programs.
    for (const name of names) expect(name).not.toMatch(/[a-z][A-Z]|_/)
  })
})

/** Labels and problems of a language, in the order of the English ones. */
const textsIn = (language: Language) =>
  (['fields', 'placedFields', 'problems'] as const).flatMap((part) => {
    const texts: Readonly<Record<string, string>> = apiTexts[language][part]
    return Object.keys(apiTexts.en[part]).map((name) => texts[name] ?? '')
  })

test('every label and problem is written in the language it is listed under', () => {
  const [inEnglish, inTaiwan] = [textsIn('en'), textsIn('tw')]
  for (const [nth, zh] of textsIn('zh').entries()) {
    const [en = '', tw = ''] = [inEnglish[nth], inTaiwan[nth]]
    expect(zh).not.toMatch(taiwanese)
    expect(tw).not.toMatch(mainland)
    expect(en).not.toMatch(/\p{Script=Han}/u)
    expect(zh === tw && !sameInChinese.has(zh) ? zh : '').toBe('')
    for (const chinese of [zh, tw]) expect(chinese).toMatch(/\p{Script=Han}/u)
  }
})

test('no two problems have the same text', () => {
  for (const language of languages)
    expect(new Set(problems.map((problem) => apiTexts[language].problems[problem])).size).toBe(problems.length)
})

const said = (field: string, reason: string | undefined, key?: Key) =>
  languages.map((language) => inputMessage(reason === undefined ? { field } : { field, reason }, language, key))

describe('a refusal', () => {
  test('names the field and the problem', () => {
    expect(said('amount', undefined)).toEqual([
      '金额格式不正确，请检查后再试',
      '金額格式不正確，請檢查後再試',
      'Please check what you entered as “Amount”: it is not in the right form',
    ])
    expect(said('amount', 'notPositive')[1]).toBe('金額必須大於 0')
    expect(said('to', 'oneself')[2]).toBe('You cannot transfer to yourself')
    expect(said('to', 'notAChoice', 'POST exchange/quote')[0]).toBe('没有这个选项：换入币种')
    expect(said('to', 'missing', 'GET transfer/recipient')[0]).toBe('请填写收款人')
  })

  test('has a complete text also for fields that nobody typed and for unknown fields', () => {
    for (const language of languages) {
      const bare = fillMessage(apiTexts[language].codes.invalidInput, {})
      expect(inputMessage({}, language)).toBe(bare)
      expect(inputMessage({ field: 'noSuchField', reason: 'missing' }, language)).toBe(bare)
      expect(inputMessage({ field: 'amount', reason: 'noSuchReason' }, language)).toContain(
        fieldName('amount', language),
      )
      for (const field of ['envelope', 'request'])
        expect(inputMessage({ field }, language)).toBe(apiTexts[language].problems.notAccepted)
    }
    for (const reason of [...problems, undefined])
      for (const field of Object.keys(apiTexts.en.fields))
        expect(said(field, reason).join(' ')).not.toMatch(/[{}[\]]|undefined/)
  })

  test('takes the largest amount that a person can ask for', () => {
    const sent = { asset: 'JU', amount: '1000000000000000' }
    expect(endpoints['GET withdraw/quote'].input.parse(sent).amount).toBe(MAX_INPUT_AMOUNT)
  })

  test.each([
    ['GET power/calc', { units: '1' }, 'planId', 'missing'],
    ['GET power/calc', { planId: '1', units: '' }, 'units', 'missing'],
    ['GET power/calc', { planId: '1', units: '1.5' }, 'units', 'notACount'],
    ['GET power/calc', { planId: '1', units: '1', asset: 'HASH' }, 'asset', 'notAChoice'],
    ['GET withdraw/quote', { asset: 'JU', amount: '1,5' }, 'amount', 'notANumber'],
    ['GET withdraw/quote', { asset: 'JU', amount: '0' }, 'amount', 'notPositive'],
    ['GET withdraw/quote', { asset: 'JU', amount: `0.${'1'.repeat(19)}` }, 'amount', 'tooManyDecimals'],
    ['POST transfer/index', { to: '1', asset: 'JU', amount: '1.100' }, 'amount', 'trailingZeros'],
    ['POST transfer/index', { to: '1', asset: 'JU', amount: '0' }, 'amount', 'notPositive'],
    ['GET withdraw/quote', { asset: 'JU', amount: '9'.repeat(70) }, 'amount', 'tooLarge'],
    ['GET withdraw/quote', { asset: 'JU', amount: '1000000000000000.000000000000000001' }, 'amount', 'tooLarge'],
    ['POST exchange/quote', { from: 'JU', to: 'USDT', amount: '1000000000000001' }, 'amount', 'tooLarge'],
    ['POST auth/isRegister', { address: '0x12' }, 'address', 'notAnAddress'],
    ['GET transfer/recipient', { to: 'me' }, 'to', 'notARecipient'],
    ['GET statement/list', { kinds: 'x'.repeat(600) }, 'kinds', 'tooLong'],
    ['GET user/zhiList', { cursor: '!' }, 'cursor', undefined],
  ] as const)('finds what is wrong: %s %o', (key, sent, field, problem) => {
    const [issue] = endpoints[key].input.safeParse(sent).error?.issues ?? []
    expect(issue?.path[0]).toBe(field)
    expect(problemOf(issue!, (sent as Record<string, unknown>)[field])).toBe(problem)
  })
})
