import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PNG } from 'pngjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeReport } from './report.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'candela-pictures-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** A white picture with so many black pixels. */
async function put(file: string, black: number, width = 20): Promise<void> {
  const png = new PNG({ width, height: 10 })
  png.data.fill(255)
  for (let pixel = 0; pixel < black; pixel++) png.data.fill(0, pixel * 4, pixel * 4 + 3)
  await mkdir(path.join(root, path.dirname(file)), { recursive: true })
  await writeFile(path.join(root, file), PNG.sync.write(png))
}

test('what is new, what has changed and by how much, and what is the same', async () => {
  await put('last/screens/tw/same.png', 5)
  await put('now/screens/tw/same.png', 5)
  await put('last/screens/tw/changed.png', 0)
  await put('now/screens/tw/changed.png', 100)
  await put('last/screens/tw/wider.png', 0)
  await put('now/screens/tw/wider.png', 0, 30)
  await put('now/screens/en/new.png', 0)
  expect(await writeReport(root)).toEqual({ pictures: 4, changed: 3 })
  const page = await readFile(path.join(root, 'index.html'), 'utf8')
  const shown = [...page.matchAll(/<figcaption>(\S+) <b>([^<]+)</g)].map(([, name, how]) => [name, how])
  expect(shown).toEqual([
    ['screens/en/new.png', 'new'],
    ['screens/tw/wider.png', 'new'],
    ['screens/tw/changed.png', '50.00 % differ'],
    ['screens/tw/same.png', 'same'],
  ])
  expect(PNG.sync.read(await readFile(path.join(root, 'differences/screens/tw/changed.png'))).width).toBe(20)
})
