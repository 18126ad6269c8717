import { apiTexts } from '@candela/protocol/texts/api-texts'
import { codes } from '@candela/protocol/codes/codes'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { languages } from '@candela/protocol/language'
import { expect, test } from 'vitest'
import { errorBody } from './error-body.ts'

test('every code has one in three languages, and no filled text shows a bracket', () => {
  const params = {
    field: 'units',
    seconds: 3,
    limit: '5',
    available: '1.5',
    asset: 'JU',
    minimum: '2',
    left: '7',
  }
  for (const [name, code] of Object.entries(codes)) {
    for (const lang of languages) {
      expect(apiTexts[lang].codes[name as keyof typeof codes]).not.toBe('')
      if (code === 200) continue
      for (const given of [params, {}]) {
        const body = errorBody(code, given, lang)
        expect(body.code).toBe(code)
        expect(body.message).not.toMatch(/[{}]|undefined/)
      }
    }
  }
})

test('a code that the table does not know is our fault', () => {
  expect(errorBody(4999, {}, 'en').code).toBe(500)
})

test('each error that an endpoint names is a code of the table', () => {
  for (const key of Object.keys(endpoints) as Key[]) {
    for (const name of endpoints[key].errors) expect(codes[name]).toBeGreaterThan(200)
  }
})
