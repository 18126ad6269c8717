/** Events of wallets as people have reported them, each tried on the whole of the wallet's code. The table of them is `docs/reference/wallets.md`. */
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../lib/storage.ts'
import { createWallet } from '../create-wallet.ts'
import { announceOn } from '../testing-wallets.ts'

let anvil: Anvil
let page: EventTarget
let source: TestWallet
let tell: (name: string, value: unknown) => void

beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())
beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('window', page)
})
afterEach(() => void Reflect.deleteProperty(globalThis, 'window'))

/** A wallet of two accounts whose own events are not passed on: the test tells what it likes. */
async function connected() {
  source = createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1), devAccount(2)] })
  const listeners = new Map<string, (value: unknown) => void>()
  tell = (name, value) => listeners.get(name)?.(value)
  announceOn(page, source, 'one.example', {
    quiet: true,
    made: (provider) => ({
      ...provider,
      on: (name: string, listener: (value: unknown) => void) => void listeners.set(name, listener),
    }),
  })
  const wallet = createWallet(page, memoryStorage(), () => import('../engine.ts'))
  await wallet.connectWallet()
  return wallet
}

const [first, second] = [devAccount(1), devAccount(2)].map(({ address }) => address.toLowerCase()) as [string, string]

test.each<[string, () => unknown]>([
  ['the account alone', () => second],
  ['nothing', () => undefined],
  ['an object', () => ({ accounts: [second] })],
])('another account is told of with %s instead of a list: the wallet is asked', async (_what, payload) => {
  const wallet = await connected()
  expect(wallet.walletStore.get().address).toBe(first)
  source.useAccount(devAccount(2))
  tell('accountsChanged', payload())
  await vi.waitFor(() => expect(wallet.walletStore.get().address).toBe(second))
})

test('a lock is told of with an empty text instead of a list', async () => {
  const wallet = await connected()
  source.forget()
  tell('accountsChanged', '')
  await vi.waitFor(() => expect(wallet.walletStore.get().address).toBeNull())
})

test.each<[string, unknown]>([
  ['an object', { chainId: '0x1' }],
  ['a text that is no number', 'loading'],
  ['nothing', undefined],
])('another network is told of with %s: the wallet is asked', async (_what, payload) => {
  const wallet = await connected()
  source.setChain(1)
  tell('chainChanged', payload)
  await vi.waitFor(() => expect(wallet.walletStore.get().chainId).toBe(1))
})

test('a wallet that names another network as it connects: what it answers counts', async () => {
  const wallet = await connected()
  tell('connect', { chainId: '0x1' })
  source.setChain(10)
  // An event that counts is told after it.
  tell('chainChanged', '0xa')
  await vi.waitFor(() => expect(wallet.walletStore.get().chainId).toBe(10))
})

test('a wallet that has no account for a moment after a reload has it again when it says so', async () => {
  const wallet = await connected()
  tell('accountsChanged', [])
  await vi.waitFor(() => expect(wallet.walletStore.get().address).toBeNull())
  tell('accountsChanged', [devAccount(1).address])
  await wallet.connectWallet()
  expect(wallet.walletStore.get().address).toBe(first)
})

test('a wallet that was let go of and tells of its account all the same is not taken up again', async () => {
  const wallet = await connected()
  await wallet.forgetWallet()
  expect(wallet.walletStore.get().address).toBeNull()
  const asked = source.calls.filter((each) => each === 'eth_chainId').length
  tell('accountsChanged', [devAccount(1).address])
  tell('accountsChanged', devAccount(1).address)
  tell('chainChanged', {})
  // Everything that the events have begun has been asked of the wallet, and has ended.
  await vi.waitFor(() => expect(source.calls.filter((each) => each === 'eth_chainId').length).toBeGreaterThan(asked))
  await new Promise((resolve) => setImmediate(resolve))
  expect(wallet.walletStore.get().address).toBeNull()
})
