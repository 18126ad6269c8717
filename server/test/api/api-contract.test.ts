import * as fc from 'fast-check'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { fieldName } from '@candela/protocol/codes/input-problems'
import { openApiDocument } from '@candela/server/api/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldNames, goodForms, requiredFields } from './api-inputs.ts'
import { type ApiScenario, codeOf, keys, startApiScenario, wrongWith } from './api-scenario.ts'
import { addLendingState } from './lending-state.ts'

let api: ApiScenario
beforeAll(async () => {
  api = await startApiScenario()
  await addLendingState(api.db, api.memberId)
})
afterAll(() => api[Symbol.asyncDispose]())

test('the page and the document are served in development, without a script', async () => {
  const page = await fetch(`${api.url}/docs`)
  expect(page.status).toBe(200)
  const html = await page.text()
  for (const key of keys) expect(html).toContain(`<code>${key}</code>`)
  expect(html).not.toContain('<script')
  expect(await (await fetch(`${api.url}/docs/openapi.json`)).json()).toEqual(
    JSON.parse(JSON.stringify(openApiDocument())),
  )
})

describe.each(keys)('%s', (key) => {
  test('answers good input as the table says', async () => {
    for (const form of fc.sample(goodForms(key), { numRuns: 3, seed: 7 })) {
      const answer = await api.call(key, form)
      expect(wrongWith(key, answer), JSON.stringify(form)).toBeNull()
    }
  })

  test('refuses what is missing, of another type, too large or sent twice, and says which field', async () => {
    const [good = {}] = fc.sample(goodForms(key), { numRuns: 1, seed: 11 })
    for (const name of requiredFields(key)) {
      const answer = await api.call(key, Object.fromEntries(Object.entries(good).filter(([each]) => each !== name)))
      expect([name, codeOf(answer)]).toEqual([name, 400])
      expect(answer.text).toContain(`${fieldName(name, 'en', key)} is missing`)
    }
    for (const name of fieldNames(key)) {
      for (const value of [['a', 'b'], 'x'.repeat(20_000), 'a\u0000b']) {
        const form = { ...good, [name]: value }
        const answer = await api.call(key, form)
        expect(wrongWith(key, answer), name).toBeNull()
        const isTaken = endpoints[key].input.safeParse(form).success
        expect([name, codeOf(answer) === 400 || answer.status === 431]).toEqual([name, !isTaken])
      }
    }
  })

  test('needs a session exactly when the table says so', async () => {
    const [good = {}] = fc.sample(goodForms(key), { numRuns: 1, seed: 13 })
    const body = new URLSearchParams(good as Record<string, string>).toString()
    for (const authorization of ['', 'x'.repeat(43), 'Bearer null']) {
      const code = codeOf(await api.send(key, body, { authorization }))
      if (endpoints[key].auth === 'session') expect(code).toBe(401)
      else expect(code).not.toBe(401)
    }
  })

  test('takes no other method, and no body that is too large', async () => {
    const { method, path: route } = { method: key.split(' ')[0], path: `/api/v1/${key.split(' ')[1]}` }
    const other = await fetch(`${api.url}${route}`, { method: method === 'GET' ? 'PUT' : 'GET' })
    expect(other.status).toBe(404)
    if (method !== 'POST') return
    const huge = await fetch(`${api.url}${route}`, {
      method: 'POST',
      body: new URLSearchParams({ x: 'x'.repeat(200_000) }),
    })
    expect([huge.status, codeOf({ status: 413, text: await huge.text() })]).toEqual([413, 413])
    const json = await fetch(`${api.url}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(json.status).toBe(415)
  })
})

test('a day or an instant of the year 0, which Postgres does not know, is bad input', async () => {
  const times = { 'GET statement/list': 'since', 'GET statement/csv': 'before', 'GET power/day': 'day' } as const
  for (const [key, name] of Object.entries(times) as [Key, string][]) {
    const of = (year: string) =>
      api.call(key, { [name]: name === 'day' ? `${year}-01-01` : `${year}-01-01T00:00:00.000Z` })
    expect([key, codeOf(await of('0000'))]).toEqual([key, 400])
    expect([key, codeOf(await of('0001'))]).not.toEqual([key, 500])
    expect([key, codeOf(await of('9999'))]).not.toEqual([key, 500])
  }
})
