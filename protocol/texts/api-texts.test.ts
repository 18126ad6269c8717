import { describe, expect, test } from 'vitest'
import { codes } from '../codes/codes.ts'
import { fillMessage } from '../codes/fill-message.ts'
import { type Language, languages } from '../language.ts'
import { memberPostingKinds } from '../posting-kinds.ts'
import { apiTexts } from './api-texts.ts'

const names = Object.keys(codes) as (keyof typeof codes)[]
const placesOf = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place).toSorted((a, b) => a.localeCompare(b))

/** Characters that only one of the two Chinese scripts has; a text with one of the other script was not translated. */
const mainland = /钱|户|账|链|网络|信息|登录|设备|请|验证|签名|额|单|应|这|时|后再试/
const taiwanese = /錢|戶|帳|鏈|網路|訊息|登入|裝置|請|驗證|額|單|應|這|時|您/

test('every code has a different number', () => {
  expect(new Set(Object.values(codes)).size).toBe(names.length)
})

describe.each(names)('%s', (name) => {
  const texts = Object.fromEntries(languages.map((each) => [each, apiTexts[each].codes[name]])) as Record<
    Language,
    string
  >

  test('has a text in every language, and no two are the same', () => {
    for (const language of languages) expect(texts[language].trim()).not.toBe('')
    expect(new Set(Object.values(texts)).size).toBe(languages.length)
  })

  test('has the same placeholders in every language', () => {
    for (const language of languages) expect(placesOf(texts[language])).toEqual(placesOf(texts.en))
  })

  test('is written in the language it is listed under', () => {
    expect(texts.en).not.toMatch(/\p{Script=Han}/u)
    expect(texts.zh).not.toMatch(taiwanese)
    expect(texts.tw).not.toMatch(mainland)
  })
})

test('every text is complete without its values: the app shows it so when the server’s message is missing', () => {
  for (const name of names)
    for (const language of languages)
      expect(fillMessage(apiTexts[language].codes[name], {})).not.toMatch(/[{}[\]]| {2}|^ | $|[（(]\s*[)）]|[:：,，]$/)
})

test('4001 says that too many devices are signed in', () => {
  expect(languages.map((language) => fillMessage(apiTexts[language].codes.deviceLimit, {}))).toEqual([
    '登录设备数量超过限制',
    '登入裝置數量超過上限',
    'Your signed-in devices exceed the limit',
  ])
})

test('no two codes have the same text', () => {
  for (const language of languages) {
    const said = names.map((name) => apiTexts[language].codes[name])
    expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([])
  }
})

test('every kind of posting has a name in each language, and no two have the same', () => {
  for (const language of languages) {
    const said = memberPostingKinds.map((kind) => apiTexts[language].postings[kind])
    expect(new Set(said.filter((text) => text.trim() !== '')).size).toBe(memberPostingKinds.length)
  }
})
