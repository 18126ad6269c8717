import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'

/** Every kind of file that the build makes, and the type that it has to be taken for. */
const files: Record<string, string> = {
  'index.html': 'text/html; charset=utf-8',
  'a.js': 'application/javascript; charset=utf-8',
  'a.css': 'text/css; charset=utf-8',
  'a.svg': 'image/svg+xml; charset=utf-8',
  'a.png': 'image/png',
  'a.webmanifest': 'application/manifest+json',
}

let webDist: string
beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
  for (const file of Object.keys(files)) await writeFile(join(webDist, file), '<x/>')
})
afterAll(() => rm(webDist, { recursive: true, force: true }))

test('each file of the page comes with its type, and text with its character set', async () => {
  const { app } = await createTestApp({ webDist })
  for (const [file, type] of Object.entries(files)) {
    const { headers } = await app.inject(`/${file}`)
    expect([file, headers['content-type']]).toEqual([file, type])
  }
})

test('each answer that is no file is JSON, text or the page of the document, in UTF-8', async () => {
  const { app } = await createTestApp()
  const types: Record<string, string> = {
    '/healthz': 'application/json; charset=utf-8',
    '/readyz': 'application/json; charset=utf-8',
    '/api/v1/user/info': 'application/json; charset=utf-8',
    '/nowhere': 'application/json; charset=utf-8',
    '/docs': 'text/html; charset=utf-8',
    '/docs/style.css': 'text/css; charset=utf-8',
    '/docs/openapi.json': 'application/json; charset=utf-8',
  }
  for (const [url, type] of Object.entries(types)) {
    expect([url, (await app.inject(url)).headers['content-type']]).toEqual([url, type])
  }
})
