import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { createTestApp, listen, type TestApp } from '../testing/test-app.ts'
import { sendRaw } from '../testing/raw-client.ts'

const script = 'let candela = 1 // 一百二十三\n'.repeat(100)
const ASSET = '/assets/index-3f9a.js'
const secret = 'PAYER_KEY=0x01'

let folder: string
let server: TestApp
let port: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-web-'))
  const webDist = join(folder, 'dist')
  await mkdir(join(webDist, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.env'), secret)
  await writeFile(join(webDist, '.env'), secret)
  await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Candela</title>')
  await writeFile(join(webDist, ASSET), script)
  await writeFile(join(webDist, `${ASSET}.br`), brotliCompressSync(script))
  await writeFile(join(webDist, `${ASSET}.gz`), gzipSync(script))
  await writeFile(join(webDist, `${ASSET}.map`), '{"sources":["../src/main.tsx"]}')
  server = await createTestApp({ webDist, envelopeOnly: true })
  // Put there later: what the build did not make is not looked for.
  await symlink(join(folder, 'secret.env'), join(webDist, 'late.env'))
  port = await listen(server)
})
afterAll(async () => {
  await server.app.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers })

test('the head of a file says what the file would, without it', async () => {
  for (const url of ['/', '/index.html', ASSET]) {
    for (const encoding of ['identity', 'br', 'gzip']) {
      const whole = await ask(url, { 'accept-encoding': encoding })
      const head = await ask(url, { 'accept-encoding': encoding }, 'HEAD')
      expect([url, head.statusCode, head.body]).toEqual([url, 200, ''])
      const { date: _, ...lines } = head.headers
      expect(whole.headers).toMatchObject(lines)
      expect(head.headers['content-length']).toBe(String(whole.rawPayload.length))
    }
  }
})

test('a part of a file is that part, and one that is not there is refused', async () => {
  const part = await ask(ASSET, { range: 'bytes=4-10', 'accept-encoding': 'identity' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
    206,
    'candela',
    `bytes 4-10/${Buffer.byteLength(script)}`,
  ])
  const last = await ask(ASSET, { range: 'bytes=-1', 'accept-encoding': 'identity' })
  expect([last.statusCode, last.body]).toEqual([206, '\n'])
  const outside = await ask(ASSET, { range: 'bytes=99999-', lang: 'EN', 'accept-encoding': 'identity' })
  expect(outside.statusCode).toBe(416)
  expect(outside.json()).toMatchObject({ code: 400, data: null })
  // Many small parts of one file would be more than the file.
  const many = await ask(ASSET, { range: `bytes=${'0-,'.repeat(500)}0-`, 'accept-encoding': 'identity' })
  expect(many.body.length).toBe(script.length)
  // Part of another version is no use: the whole of this one comes.
  const stale = await ask(ASSET, { range: 'bytes=4-10', 'if-range': '"another"', 'accept-encoding': 'identity' })
  expect([stale.statusCode, stale.body]).toEqual([200, script])
})

test('what is unchanged is not sent again, in any encoding, and its lines stay', async () => {
  for (const encoding of ['identity', 'br', 'gzip']) {
    const first = await ask(ASSET, { 'accept-encoding': encoding })
    const etag = String(first.headers['etag'])
    const again = await ask(ASSET, { 'accept-encoding': encoding, 'if-none-match': etag })
    expect([encoding, again.statusCode, again.body]).toEqual([encoding, 304, ''])
    expect(again.headers).toMatchObject({
      etag,
      'cache-control': first.headers['cache-control'],
      vary: 'accept-encoding',
    })
    const since = { 'accept-encoding': encoding, 'if-modified-since': String(first.headers['last-modified']) }
    expect((await ask(ASSET, since)).statusCode).toBe(304)
    expect((await ask(ASSET, { ...since, 'if-none-match': '"another"' })).statusCode).toBe(200)
  }
  const br = await ask(ASSET, { 'accept-encoding': 'br' })
  const identity = await ask(ASSET, { 'accept-encoding': 'identity' })
  expect(br.headers['etag']).not.toBe(identity.headers['etag'])
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script)
  expect(br.headers['content-type']).toBe(identity.headers['content-type'])
})

test('there is no way out of the folder, no list of it, and nothing in it that is not for browsers', async () => {
  const paths = [
    '/../secret.env',
    '/..%2fsecret.env',
    '/%2e%2e/secret.env',
    '/%2e%2e%2fsecret.env',
    '/assets/../../secret.env',
    '/assets/..%2f..%2fsecret.env',
    '/assets/..%5c..%5csecret.env',
    '/..\\secret.env',
    '/....//secret.env',
    '/%252e%252e/secret.env',
    '/%c0%ae%c0%ae/secret.env',
    '/%uff0e%uff0e/secret.env',
    `/${folder}/secret.env`,
    `//${folder}/secret.env`,
    '/.env',
    '/./.env',
    '/late.env',
    '/index.html%00.js',
    '/index.html/',
    '/assets',
    '/assets/',
    `${ASSET}.map`,
    `${ASSET}.br`,
    `${ASSET}.gz`,
    '/INDEX.HTML',
  ]
  for (const path of paths) {
    const [answer] = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nLANG: EN\r\n\r\n`, { quiet_ms: 15 })
    expect([path, answer?.status]).toEqual([path, /%c0|%u/.test(path) ? 400 : 404])
    expect(answer?.body).not.toContain('PAYER_KEY')
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ data: null })
  }
})
