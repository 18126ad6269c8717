/** Wallets that do not do as the standards have it. The table of them is `docs/reference/wallets.md`. */
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { type DeviceStorage, memoryStorage } from '../../lib/storage.ts'
import { createWallet } from '../create-wallet.ts'
import { announceOn, deployTestContracts, paymentOf, providerOf } from '../testing-wallets.ts'

let anvil: Anvil
let page: EventTarget
let storage: DeviceStorage
let wallet: ReturnType<typeof createWallet>
let test1: TestWallet

beforeAll(async () => {
  anvil = await startAnvil()
  await deployTestContracts(anvil.url)
})
afterAll(() => anvil.stop())
beforeEach(() => {
  page = new EventTarget()
  storage = memoryStorage()
  test1 = newTestWallet()
})
afterEach(() => void Reflect.deleteProperty(globalThis, 'window'))

const newTestWallet = () => createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)] })

const announce = (source: TestWallet, rdns: string, ways: Parameters<typeof announceOn>[3] = {}) =>
  announceOn(page, source, rdns, ways)

function open() {
  vi.stubGlobal('window', page)
  wallet = createWallet(page, storage, () => import('../engine.ts'))
}

const payment = (value: bigint) => paymentOf(value, test1.address)

const nothing = { sent: () => {} }

test('a wallet that tells of nothing is asked', async () => {
  announce(test1, 'one.example', { quiet: true })
  open()
  await wallet.connectWallet()
  const accounts: string[] = []
  const chains: number[] = []
  wallet.onAccountChange((address) => accounts.push(address))
  wallet.onChainChange((chainId) => chains.push(chainId))
  test1.setChain(1)
  test1.useAccount(devAccount(2))
  expect([accounts, chains]).toEqual([[], []])
  expect(await wallet.readChainId()).toBe(1)
  await wallet.checkWallet()
  expect([accounts, chains]).toEqual([[devAccount(2).address.toLowerCase()], [1]])
  test1.setChain(CHAIN_ID)
  expect((await wallet.currentWallet()).chainId).toBe(CHAIN_ID)
  const locked = vi.fn()
  wallet.onLock(locked)
  test1.forget()
  await wallet.checkWallet()
  await expect.poll(() => locked.mock.calls.length).toBe(1)
  expect(wallet.walletStore.get().address).toBeNull()
})

test('a refusal that is a text alone opens no second window', async () => {
  announce(test1, 'one.example', { throwsTexts: true })
  open()
  test1.refuseNext('wallet_requestPermissions')
  await expect(wallet.connectWallet()).rejects.toMatchObject({ kind: 'refused' })
  expect(test1.calls).toContain('wallet_requestPermissions')
  expect(test1.calls).not.toContain('eth_requestAccounts')
  expect((await wallet.connectWallet()).address).toBe(test1.address.toLowerCase())
})

test.each([
  ['a number', (id: number) => id],
  ['upper-case hexadecimal', (id: number) => `0X${id.toString(16).toUpperCase()}`],
])('a chain id that is a number, or in upper case: %s', async (_name, said) => {
  announce(test1, 'one.example', { chainIdAs: said })
  open()
  expect((await wallet.connectWallet()).chainId).toBe(CHAIN_ID)
  expect(await wallet.readChainId()).toBe(CHAIN_ID)
  expect(await wallet.sendRecharge(payment(1_004n), nothing)).toBe('confirmed')
})

test('a wallet that does not answer is given up in time, and asked again at the next tap', async () => {
  const silent = new Set<string>()
  announce(test1, 'one.example', { silent })
  open()
  await wallet.connectWallet()
  const asked = test1.calls.length
  page = new EventTarget()
  announce(test1, 'one.example', { silent })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  open()
  silent.add('eth_accounts')
  vi.useFakeTimers()
  try {
    const coming = wallet.reconnectWallet()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await coming).toBeNull()
    // A window that was closed without an answer: the person gives up, and the next tap opens another one.
    silent.add('wallet_requestPermissions')
    const stop = new AbortController()
    const first = wallet.connectWallet({ signal: stop.signal })
    const ended = expect(first).rejects.toMatchObject({ kind: 'given-up' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(wallet.walletStore.get().status).toBe('connecting')
    stop.abort()
    await ended
    expect(wallet.walletStore.get().status).toBe('idle')
  } finally {
    vi.useRealTimers()
    warn.mockRestore()
  }
  silent.clear()
  expect((await wallet.connectWallet()).status).toBe('connected')
  // In the other way, because the first was never answered.
  expect(test1.calls.slice(asked)).toContain('eth_requestAccounts')
})

test('of two wallets only the chosen one counts, also when the other is permitted and changes', async () => {
  const other = newTestWallet()
  await other.request('eth_requestAccounts')
  announce(test1, 'one.example')
  announce(other, 'two.example')
  open()
  wallet.setChooser(async () => 'one.example')
  await wallet.connectWallet()
  const accounts: string[] = []
  wallet.onAccountChange((address) => accounts.push(address))
  other.useAccount(devAccount(3))
  expect(wallet.walletStore.get().address).toBe(test1.address)
  expect(accounts).toEqual([])
  test1.useAccount(devAccount(2))
  expect(accounts).toEqual([devAccount(2).address.toLowerCase()])
  test1.useAccount(devAccount(1))
  expect(await wallet.sendRecharge(payment(1_006n), nothing)).toBe('confirmed')
  expect([test1.sent.length, other.sent.length]).toEqual([1, 0])
})

test('whoever is signed in is asked for the wallet used before, and for no other', async () => {
  const other = newTestWallet()
  announce(other, 'two.example')
  announce(test1, 'one.example')
  open()
  const choose = vi.fn(async () => 'one.example')
  wallet.setChooser(choose)
  await wallet.connectWallet()
  test1.forget()
  await expect.poll(() => wallet.walletStore.get().address).toBeNull()
  expect((await wallet.currentWallet()).address).toBe(test1.address)
  expect(choose).toHaveBeenCalledOnce()
  expect(other.calls).not.toContain('wallet_requestPermissions')
})

test('a payment that nobody waits for any longer is told of when it is sent after all', async () => {
  announce(test1, 'one.example')
  open()
  await wallet.connectWallet()
  const answer = test1.holdPayments()
  const stop = new AbortController()
  const sent: string[] = []
  const paid = wallet.sendRecharge(payment(1_008n), { signal: stop.signal, sent: (hash) => sent.push(String(hash)) })
  const ended = expect(paid).rejects.toMatchObject({ kind: 'given-up' })
  await expect.poll(() => test1.calls).toContain('eth_sendTransaction')
  stop.abort()
  await ended
  expect(sent).toEqual([])
  answer()
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent).toEqual(test1.sent)
})

test.each([
  ['cannot be changed', (provider: object) => Object.freeze(provider)],
  [
    'has properties that can only be read',
    (provider: object) =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          Object.entries(provider).map(([name, value]) => [name, { value, writable: false, configurable: false }]),
        ),
      ),
  ],
  [
    'is a proxy that answers for its target alone',
    (provider: object) =>
      new Proxy(Object.freeze({ ...provider }), {
        get: (target, name) => Reflect.get(target, name) as unknown,
        set: () => false,
        defineProperty: () => false,
      }),
  ],
  ['has no events', ({ request }: { request: unknown }) => ({ request })],
  [
    'has events that throw',
    (provider: object) => ({
      ...provider,
      on: () => {
        throw new Error('not here')
      },
    }),
  ],
] as [string, (provider: { request: unknown }) => object][])(
  'a provider that %s signs in, pays, and is asked again after a reload',
  async (_how, made) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const isAnnounced of [true, false]) {
      page = new EventTarget()
      storage = memoryStorage()
      test1 = newTestWallet()
      if (isAnnounced) announce(test1, 'one.example', { made })
      else Object.assign(page, { ethereum: made(providerOf(test1)) })
      open()
      expect((await wallet.connectWallet()).address).toBe(test1.address)
      expect(await wallet.signMessage('hello')).toMatch(/^0x[0-9a-f]{130}$/)
      expect(await wallet.sendRecharge(payment(1_010n), nothing)).toBe('confirmed')
      test1.useAccount(devAccount(2))
      await wallet.checkWallet()
      expect(wallet.walletStore.get().address).toBe(devAccount(2).address.toLowerCase())
      open()
      if (isAnnounced) announce(test1, 'one.example', { made })
      expect((await wallet.reconnectWallet())?.address).toBe(devAccount(2).address.toLowerCase())
    }
    warn.mockRestore()
  },
)

test('of two wallets under one domain name each is asked for itself, also after a reload in another order', async () => {
  const other = newTestWallet()
  other.useAccount(devAccount(2))
  announce(test1, 'one.example')
  announce(other, 'one.example', { name: 'Another' })
  open()
  wallet.setChooser(async (options) => options.find(({ name }) => name === 'Another')?.id ?? null)
  expect((await wallet.connectWallet()).address).toBe(devAccount(2).address.toLowerCase())
  expect(test1.calls).toEqual([])
  page = new EventTarget()
  announce(other, 'one.example', { name: 'Another' })
  announce(test1, 'one.example')
  open()
  expect((await wallet.reconnectWallet())?.walletName).toBe('Another')
  expect(test1.calls).toEqual([])
})

test('of wallets that share one window.ethereum each is listed by its mark, and only the chosen one is asked, also after a reload', async () => {
  const other = newTestWallet()
  other.useAccount(devAccount(2))
  const both = [
    Object.assign(providerOf(test1), { isMetaMask: true }),
    Object.assign(providerOf(other), { isMetaMask: true, isCoinbaseWallet: true, isConnected: () => true }),
  ]
  const share = (providers: unknown[]) =>
    Object.assign(page, {
      ethereum: { request: () => Promise.reject(new Error('No provider selected')), isMetaMask: true, providers },
    })
  share(both)
  open()
  const choose = vi.fn(async (options: readonly { id: string; name: string }[]) => options[1]?.id ?? null)
  wallet.setChooser(choose)
  expect((await wallet.connectWallet()).address).toBe(devAccount(2).address.toLowerCase())
  expect(choose.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['MetaMask', 'CoinbaseWallet'])
  expect(await wallet.sendRecharge(paymentOf(1_046n, devAccount(2).address), nothing)).toBe('confirmed')
  expect([test1.calls, other.sent.length]).toEqual([[], 1])
  page = new EventTarget()
  share(both.toReversed())
  open()
  expect((await wallet.reconnectWallet())?.walletName).toBe('CoinbaseWallet')
  expect(test1.calls).toEqual([])

  // One alone, or none that can be asked, is the wallet itself.
  page = new EventTarget()
  Object.assign(page, { ethereum: Object.assign(providerOf(test1), { providers: [providerOf(test1), null, {}] }) })
  storage = memoryStorage()
  open()
  expect((await wallet.connectWallet()).walletName).toBe('Wallet')
})

test('what an earlier version has kept of a wallet, its domain name alone, is still found', async () => {
  await test1.request('eth_requestAccounts')
  announce(test1, 'one.example')
  storage.set('wallet', 'one.example')
  open()
  expect((await wallet.reconnectWallet())?.address).toBe(test1.address)
})

test('a wallet without a call for permissions, and one that writes into what it is asked', async () => {
  announce(test1, 'one.example', {
    refuses: ({ method }) =>
      method === 'wallet_requestPermissions' ? { code: -32_601, message: 'The method does not exist' } : undefined,
    async fails(call) {
      Object.assign(call.params?.[0] ?? {}, { from: test1.address })
      Object.assign(call, { id: 1 })
    },
  })
  open()
  expect((await wallet.connectWallet()).address).toBe(test1.address)
  expect(test1.calls).toContain('eth_requestAccounts')
  expect(await wallet.sendRecharge(payment(1_026n), nothing)).toBe('confirmed')
})

test('a wallet that opens no account is told from one that refuses', async () => {
  announce(test1, 'one.example', {
    answers: (method, answer) => (/accounts/i.test(method) ? [] : answer),
  })
  open()
  await expect(wallet.connectWallet()).rejects.toMatchObject({ kind: 'no-account' })
  expect(wallet.walletStore.get().status).toBe('idle')
})

test('a switch that takes effect a moment after it was confirmed', async () => {
  test1 = createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)], chainId: 1 })
  announce(test1, 'one.example', {
    answers(method, answer) {
      if (method === 'wallet_switchEthereumChain') {
        test1.setChain(1)
        setTimeout(() => test1.setChain(CHAIN_ID), 1_500)
      }
      return answer
    },
  })
  open()
  await wallet.connectWallet()
  await wallet.switchNetwork({
    chainId: `0x${CHAIN_ID.toString(16)}`,
    chainName: 'JuChain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    blockExplorerUrls: [],
  })
  expect(wallet.walletStore.get().chainId).toBe(CHAIN_ID)
})

test('a signature without 0x', async () => {
  announce(test1, 'one.example', {
    answers: (method, answer) => (method === 'personal_sign' ? String(answer).slice(2) : answer),
  })
  open()
  await wallet.connectWallet()
  expect(await wallet.signMessage('hello')).toMatch(/^0x[0-9a-f]{130}$/)
})
