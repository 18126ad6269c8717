import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdversaryResult } from '../adversary/search.ts'
import { type DatabasePool, startDatabasePool } from '../run/databases.ts'
import { runOnThreads, runSeeds } from '../run/worker-pool.ts'
import { makeServerCopy } from './server-copy.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const workers = ['run/seed-worker.ts', 'adversary/search-worker.ts']
const PLANTED = 'the planted mutation runs'
/** Every simulation observes prices. */
const planted = {
  name: 'planted',
  file: 'server/src/chain/price/observe-prices.ts',
  search: 'export async function observePrices(deps: ObserveDeps): Promise<void> {\n',
  replace: `export async function observePrices(deps: ObserveDeps): Promise<void> {\n  if (deps.pairs.length > 0) throw new Error('${PLANTED}')\n`,
}

describe('a copy of the server that is changed', () => {
  let pool: DatabasePool
  let copy: Awaited<ReturnType<typeof makeServerCopy>>
  beforeAll(async () => {
    pool = await startDatabasePool()
    copy = await makeServerCopy()
  })
  afterAll(async () => {
    await copy[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
  })
  const scriptOf = (worker: string) => join(copy.folder, 'server', 'simulate', worker)

  test('loads nothing of the server, the protocol and the test support but its own', async () => {
    for (const worker of workers) {
      const watch = `
        import { registerHooks } from 'node:module'
        const urls = []
        registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
        await import(${JSON.stringify(pathToFileURL(scriptOf(worker)).href)})
        process.stdout.write(JSON.stringify(urls))`
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', watch], {
        maxBuffer: 2 ** 26,
      })
      const urls = JSON.parse(stdout) as string[]
      const under = (folder: string, part: string) =>
        urls.filter((url) => url.startsWith(pathToFileURL(join(folder, part)).href))
      for (const part of ['server', 'protocol', 'testing']) {
        expect([worker, part, under(copy.folder, part).length]).toEqual([worker, part, expect.toSatisfy((n) => n > 0)])
        expect([worker, part, under(root, part)]).toEqual([worker, part, []])
      }
    }
  })

  test('is what simulations run: a planted fault is found by the first seed, and only while it is planted', async () => {
    const script = scriptOf('run/seed-worker.ts')
    const first = async () => {
      const options = { threads: 1, script, exit: false, workers: 1 } as const
      for await (const { findings } of runSeeds(pool, [7], options)) return findings
      return undefined
    }
    expect((await copy.withMutation(planted, first))?.join()).toContain(PLANTED)
    expect(await first()).toEqual([])
  })

  test('is what the adversary meets', async () => {
    const script = scriptOf('adversary/search-worker.ts')
    const options = { threads: 1, script, draws: 1, climbs: 0, among: ['fillCeiling'] } as const
    const first = async () => {
      for await (const { findings } of runOnThreads<AdversaryResult>(pool, [1], options)) return findings
      return undefined
    }
    expect((await copy.withMutation(planted, first))?.join()).toContain(PLANTED)
    expect(await first()).toEqual([])
  })
})
