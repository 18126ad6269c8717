/**
 * Products that test files use together, each started when the first file asks for it. They are run by Vitest's main process,
 * which outlives the processes of the test files; a file asks over HTTP, because only plain data can be handed over before
 * the run. What a file does to a shared product must not disturb the others: no trades (they move the price), no pause, no
 * closed day, no figure that counts other people, and one file alone that uses the fund.
 */
import path from 'node:path'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { expectFinalBooksToAgree } from '../books.ts'
import { manyConfirmations, type ProductOptions, type RunningProduct, startProduct, FOLDER_PREFIX } from './product.ts'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { openProcessRegistry } from '@candela/testing/process/process-registry'
import { discardEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { lockFolder } from '@candela/testing/process/folder-lock'

/** Removes what runs have left behind that were killed: their folders, and processes that are still running in them. */
async function removeAbandonedProducts(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = path.join(tmpdir(), name)
    // A folder without an owner may be that of a product which is just being started.
    if (!name.startsWith(FOLDER_PREFIX) || !existsSync(path.join(folder, 'owner.json'))) continue
    try {
      await lockFolder(folder)
      await openProcessRegistry(folder).endOrphans()
      const postgres = path.join(folder, 'postgres')
      if (existsSync(postgres)) await discardEmbeddedPostgres(postgres)
      await rm(folder, { recursive: true, force: true })
    } catch {
      // Another run is using it, or it is another user's.
    }
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for a shared product: a GET of its name answers with a `Product` as JSON. */
    sharedProducts: string
  }
}

/** A payment needs the development chain's two confirmations where nothing else is said. */
const products = {
  development: { mode: 'development' },
  production: { mode: 'production' },
  'production, many confirmations': { mode: 'production', env: manyConfirmations },
} as const satisfies Record<string, ProductOptions>

export type SharedProductName = keyof typeof products

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedProducts()
  const stopping = new AbortController()
  const started = new Map<SharedProductName, Promise<RunningProduct>>()
  const ask = (name: SharedProductName): Promise<RunningProduct> => {
    const running = started.get(name) ?? startProduct({ ...products[name], signal: stopping.signal })
    started.set(name, running)
    return running
  }
  const server = createServer((request, response) => void answer(request, response, ask))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('sharedProducts', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  return async () => {
    stopping.abort()
    server.close()
    server.closeAllConnections()
    const results = await Promise.allSettled([...started.values()].map(checkAndStop))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  ask: (name: SharedProductName) => Promise<RunningProduct>,
): Promise<void> {
  const name = decodeURIComponent(request.url?.slice(1) ?? '')
  try {
    if (!Object.hasOwn(products, name)) throw new Error(`There is no shared product "${name}"`)
    response.end(JSON.stringify(await ask(name as SharedProductName)))
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error))
  }
}

async function checkAndStop(starting: Promise<RunningProduct>): Promise<void> {
  const product = await starting.catch(() => undefined)
  // The caller has been told why it did not start.
  if (product === undefined) return
  try {
    await expectFinalBooksToAgree(product)
  } finally {
    await product.stop()
  }
}
