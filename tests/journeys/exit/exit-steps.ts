import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { letTimePass } from '../support/lending-steps.ts'
import { pastMidnight_ms } from '../support/past-midnight.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import type { Product, RunningProduct } from '../support/products/product.ts'

const web = path.join(import.meta.dirname, '..', '..', '..', 'web')

/** Builds the page of one file and serves it from an origin that has nothing to do with the product. */
export async function hostExitPage(): Promise<{ url: string } & AsyncDisposable> {
  const vite = path.join(web, '..', 'node_modules', '.bin', 'vite')
  // The build has a folder of its own: another file may build the page at the same time.
  const folder = await mkdtemp(path.join(tmpdir(), 'candela-exit-'))
  const args = ['build', '-c', 'vite.exit.config.ts', '--outDir', folder, '--emptyOutDir']
  await promisify(execFile)(vite, args, { cwd: web })
  const page = await readFile(path.join(folder, 'exit.html'))
  await rm(folder, { recursive: true })
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/exit.html`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Near midnight UTC, puts the product to where a day is attested at once. */
export async function passMidnight(product: RunningProduct, session: BrowserSession): Promise<void> {
  const ahead_ms = pastMidnight_ms()
  if (ahead_ms > 0) await letTimePass(product, session, ahead_ms)
}

/** The last day that is attested and final; null before the first. */
export async function latestDay({ origin }: Product): Promise<string | null> {
  const answer = await fetch(`${origin}/api/v1/solvency/latest`)
  const { data } = (await answer.json()) as { data: { attestation: { day: string } | null } }
  return data.attestation?.day ?? null
}

/** All parts of the tree of an attested day, as anybody can keep them. */
export async function mirrorTree({ origin }: Product, day: string) {
  const files: { name: string; mimeType: string; buffer: Buffer }[] = []
  for (let part = 0, parts = 1; part < parts; part += 1) {
    const answer = await fetch(`${origin}/api/v1/solvency/tree?day=${day}&part=${part}`)
    const { data } = (await answer.json()) as { data: { parts: number } }
    parts = data.parts
    const name = `tree ${day} part ${part}.json`
    files.push({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(data)) })
  }
  return files
}

/** Saves the proof that is shown. @returns where the file is */
export async function saveProof(session: BrowserSession): Promise<string> {
  const download = session.page.waitForEvent('download')
  await session.button('proof.save').click()
  return (await download).path()
}

/** Leaves the app before: it asks the service again and again, and each question without an answer is an error of the browser's console. */
export async function stopService(product: RunningProduct, { page }: BrowserSession): Promise<void> {
  await page.goto('about:blank')
  await product.stopServer()
  await expect(fetch(product.origin)).rejects.toThrow('fetch failed')
}

type Opened = { host: { url: string }; rpcUrl: string; file: string }

/** Opens the page of one file and asks what the proof is good for. */
export async function openExitPage(session: BrowserSession, { host, rpcUrl, file }: Opened): Promise<void> {
  const { page, text } = session
  await page.goto(host.url)
  await page.getByLabel(text('exit.file')).setInputFiles(file)
  await page.getByLabel(text('exit.rpc')).fill(rpcUrl)
  // This page has never seen the contract.
  await session.button('exit.confirmContract').click()
  await session.button('exit.check').click()
}
