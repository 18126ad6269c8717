import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

let webDist: string
let server: TestApp
beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
  await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Candela</title>')
  server = await createTestApp({ webDist, envelopeOnly: true })
})
afterAll(async () => {
  await server.app.close()
  await rm(webDist, { recursive: true, force: true })
})

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const ask = (url: string, headers: Record<string, string> = page, method: 'GET' | 'POST' = 'GET') =>
  server.app.inject({ method, url, headers })

test.each([
  ['/%23/index?code=CANDELA1', '/#/index?code=CANDELA1'],
  ['/%23%2Findex%3Fcode%3DCANDELA1', '/#/index?code=CANDELA1'],
  ['/index?code=CANDELA1', '/?code=CANDELA1'],
  ['/somewhere/else', '/'],
  ['//evil.example/%23/index', '/'],
  ['/%23/%E4%B8%AD%0d%0aset-cookie:a', '/#/%E4%B8%AD%0D%0Aset-cookie:a'],
])('a person who opens %s is led to %s', async (url, place) => {
  const { statusCode, headers } = await ask(url)
  expect([statusCode, headers.location]).toEqual([302, place])
})

test('calls, files and programs are told that there is nothing', async () => {
  for (const answered of await Promise.all([
    ask('/api/v1/nothing'),
    ask('/assets/gone-1234.js'),
    ask('/somewhere', { accept: 'application/json' }),
    ask('/somewhere', {}),
    ask('/somewhere', page, 'POST'),
  ]))
    expect([answered.statusCode, answered.headers.location]).toEqual([404, undefined])
})
