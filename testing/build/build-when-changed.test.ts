import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWhenChanged, draftOf, sourcesIn } from './build-when-changed.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'candela-sources-'))
  await put('index.html', 'src/app/main.tsx', 'src/app/main.test.tsx', 'node_modules/x/index.js', 'public/icon.svg')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function put(...files: string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
    await writeFile(path.join(folder, file), file)
  }
}

const sources = ['index.html', 'public/icon.svg', 'src/app/main.tsx'].map((file) => path.normalize(file))

test('a build depends on its sources, and not on tests, packages or other builds', async () => {
  await put('dist/index.html', 'dist-devnet/assets/a.js')
  expect(await sourcesIn(folder)).toEqual(sources)
})

test('of several that want a build at once one makes it, and all find it whole', async () => {
  const built = path.join(folder, 'dist-apart')
  let made = 0
  const build = {
    name: 'something',
    folder: built,
    sources: ['deploy/proxy'],
    variant: 'first',
    async make(draft: string) {
      made += 1
      await mkdir(draft)
      for (let file = 0; file < 20; file++) await writeFile(path.join(draft, `${file}.js`), '')
    },
  }
  const log: string[] = []
  for (const variant of ['first', 'second']) {
    const want = () =>
      buildWhenChanged({ ...build, variant }, (line) => log.push(line)).then(async () => (await readdir(built)).length)
    expect(new Set(await Promise.all(Array.from({ length: 6 }, want)))).toEqual(new Set([21]))
  }
  expect([made, log]).toEqual([2, ['Building something', 'Building something']])
  await expect(
    buildWhenChanged({ ...build, variant: 'third', make: () => Promise.reject(new Error('no')) }, () => undefined),
  ).rejects.toThrow('no')
  expect((await readdir(built)).length).toBe(21)
})

test('two builds of one process do not write into one folder', () => {
  const drafts = [draftOf('web/dist-devnet'), draftOf('web/dist-devnet')]
  expect(new Set(drafts).size).toBe(2)
  expect(drafts.every((draft) => path.basename(draft).startsWith('dist'))).toBe(true)
})

async function looking(): Promise<void> {
  for (let look = 0; look < 200; look++) expect(await sourcesIn(folder)).toEqual(sources)
}

test('other builds that come and go meanwhile do not disturb', async () => {
  const done = new AbortController()
  const building = async (): Promise<void> => {
    for (let nth = 0; !done.signal.aborted; nth++) {
      const draft = `dist.${nth}`
      await put(...Array.from({ length: 5 }, (_none, at) => `${draft}/assets/${at}/a.js`))
      await rename(path.join(folder, draft), path.join(folder, `dist-${nth}`))
      await rm(path.join(folder, `dist-${nth}`), { recursive: true })
    }
  }
  await Promise.all([building(), looking().finally(() => done.abort())])
})
