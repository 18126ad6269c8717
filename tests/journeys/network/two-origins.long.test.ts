/** The page of one origin and the API of another, as `VITE_API_BASE` has it: both lead to the same server. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { runVite } from '@candela/testing/build/build-web'
import { developmentChain } from '@candela/devnet/deploy/web-chain'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { parseEther } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { journeysOf } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { startProduct } from '../support/products/product.ts'
import { expectSignedIn, signInInvited } from '../support/steps.ts'

let folder: string | undefined
afterAll(() => (folder === undefined ? undefined : rm(folder, { recursive: true, force: true })))

/** Passes connections on to the product. The page is built with its address, before the product has one. */
const other = createServer((from) => {
  const to = connect(Number(new URL(product().origin).port), '127.0.0.1')
  pipeline(from, to, from, () => undefined)
})
afterAll(() => other.close())

let api: string
const { product, journey } = journeysOf(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-web-'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  api = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const env = { ...(await developmentChain()), VITE_API_BASE: api }
  await runVite('production', folder, new AbortController().signal, env)
  return startProduct({ mode: 'production', env: { WEB_DIST: folder, VITE_API_BASE: api } })
})

let person: Newcomer

journey(
  'a person signs in and reloads, and every call goes to the other origin',
  async () => {
    person = await newcomer(product(), { ju: parseEther('20') })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    const asked = new Set<string>()
    session.page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) asked.add(new URL(request.url()).origin)
    })
    await signInInvited(session, person)
    await session.page.reload()
    await expectSignedIn(session, person.wallet.address)
    expect([...asked]).toEqual([api])
    expect(new URL(session.page.url()).origin).toBe(product().origin)
  },
)

/** The origin whose pages may read an answer to a page of this one. */
const readableBy = async (origin: string) => {
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  }
  const { headers } = await fetch(`${api}${GATEWAY_PATH}`, { method: 'OPTIONS', headers: preflight })
  return headers.get('access-control-allow-origin')
}

test('the page’s own origin may read the answers of the API, and no other one', async () => {
  expect(await readableBy(product().origin)).toBe(product().origin)
  expect(await readableBy('https://elsewhere.example')).not.toBe('https://elsewhere.example')
})
