import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { recoverMessageAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { type DeviceStorage, memoryStorage } from '../lib/storage.ts'
import { createWallet, type WalletPage } from './create-wallet.ts'
import { discoverWallets } from './injected/discovery.ts'
import { announceOn, deployTestContracts, ECHO_LENGTH, ODD_REVERTS, paymentOf, providerOf } from './testing-wallets.ts'
import type { WalletOption } from './types.ts'

let anvil: Anvil
let page: WalletPage
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
afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'window')
  await rpc('evm_setAutomine', [true])
})

const newTestWallet = (more: { chainId?: number; knowsChain?: boolean } = {}) =>
  createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)], ...more })

const rpc = (method: string, params: unknown[] = []) => test1.client.request({ method, params } as never)

const announce = (source: TestWallet, rdns: string, ways: Parameters<typeof announceOn>[3] = {}) =>
  announceOn(page, source, rdns, ways)

let engineLoads = 0
/** Opens the page: everything announced before is there, storage is as the page before left it. */
function open() {
  vi.stubGlobal('window', page)
  engineLoads = 0
  wallet = createWallet(page, storage, () => {
    engineLoads += 1
    return import('./engine.ts')
  })
  return wallet
}

/** The same browser after a reload: what was stored stays, listeners of the old page are gone. */
function reload(...sources: [TestWallet, string][]) {
  page = new EventTarget()
  for (const [source, rdns] of sources) announce(source, rdns)
  return open()
}

const payment = (value: bigint, customer = test1.address) => paymentOf(value, customer)

const nothing = { sent: () => {} }

describe('connecting', () => {
  test('without any wallet', async () => {
    open()
    expect(wallet.walletStore.get().status).toBe('none')
    await expect(wallet.connectWallet()).rejects.toMatchObject({
      kind: 'not-installed',
      message: 'Wallet not installed',
    })
    expect(wallet.walletStore.get()).toEqual({ status: 'none', address: null, chainId: null, walletName: null })
    expect(engineLoads).toBe(0)
  })

  test('one announced wallet connects without a chooser, and looking loads nothing', async () => {
    announce(test1, 'one.example')
    open()
    const choose = vi.fn()
    wallet.setChooser(choose)
    expect(wallet.walletStore.get().status).toBe('idle')
    expect(engineLoads).toBe(0)
    const state = await wallet.connectWallet()
    expect(state).toEqual({
      status: 'connected',
      address: test1.address,
      chainId: CHAIN_ID,
      walletName: 'Wallet one.example',
    })
    expect(choose).not.toHaveBeenCalled()
    expect(test1.calls).not.toContain('eth_sendTransaction')
  })

  test('several wallets ask which; whoever closes the chooser has refused nothing', async () => {
    const other = newTestWallet()
    other.useAccount(devAccount(2))
    announce(test1, 'one.example')
    announce(other, 'two.example', { icon: 'https://tracker.example/icon.png' })
    // The same wallet behind window.ethereum must not be listed a second time.
    page.ethereum = providerOf(test1)
    open()
    const seen: (readonly WalletOption[])[] = []
    wallet.setChooser(async (options) => (seen.push(options), null))
    await expect(wallet.connectWallet()).rejects.toMatchObject({ kind: 'not-chosen' })
    expect(wallet.walletStore.get().status).toBe('idle')
    expect(seen[0]?.map(({ id, icon }) => [id, icon])).toEqual([
      ['one.example Wallet one.example', 'data:image/svg+xml,<svg/>'],
      ['two.example Wallet two.example', ''],
    ])
    wallet.setChooser(async () => 'two.example')
    expect((await wallet.connectWallet()).address).toBe(devAccount(2).address.toLowerCase())
  })

  test('the wallet of an in-app browser, injected late and never announced', async () => {
    open()
    setTimeout(() => (page.ethereum = providerOf(test1)), 20)
    expect((await wallet.connectWallet()).address).toBe(test1.address)
  })

  test('refused in the wallet leaves everything as it was, and a second try works', async () => {
    announce(test1, 'one.example')
    open()
    test1.refuseNext('wallet_requestPermissions')
    await expect(wallet.connectWallet()).rejects.toMatchObject({ kind: 'refused' })
    expect(wallet.walletStore.get()).toEqual({ status: 'idle', address: null, chainId: null, walletName: null })
    expect((await wallet.connectWallet()).status).toBe('connected')
  })

  test('two clicks ask once', async () => {
    announce(test1, 'one.example')
    open()
    const [a, b] = await Promise.all([wallet.connectWallet(), wallet.connectWallet()])
    expect(a).toEqual(b)
    expect(test1.calls.filter((method) => method === 'wallet_requestPermissions')).toHaveLength(1)
  })
})

describe('coming back', () => {
  test('a visitor who never connected loads no engine', async () => {
    announce(test1, 'one.example')
    open()
    expect(await wallet.reconnectWallet()).toBeNull()
    expect(engineLoads).toBe(0)
  })

  test('the wallet used before is taken up without a question, and no other', async () => {
    const other = newTestWallet()
    await other.request('eth_requestAccounts')
    announce(test1, 'one.example')
    announce(other, 'two.example')
    open()
    wallet.setChooser(async () => 'one.example')
    await wallet.connectWallet()
    const asked = test1.calls.length
    reload([other, 'two.example'], [test1, 'one.example'])
    const [state, again] = await Promise.all([wallet.reconnectWallet(), wallet.reconnectWallet()])
    expect(state).toMatchObject({ address: test1.address, walletName: 'Wallet one.example' })
    expect(again).toEqual(state)
    expect(test1.calls.slice(asked)).not.toContain('wallet_requestPermissions')
    expect(test1.calls.slice(asked)).not.toContain('eth_requestAccounts')
    test1.forget()
    expect(await reload([test1, 'one.example'], [other, 'two.example']).reconnectWallet()).toBeNull()
  })
})

test('whoever signs out leaves nothing of the wallet, and the next one is asked which', async () => {
  announce(test1, 'one.example')
  open()
  const locked = vi.fn()
  wallet.onLock(locked)
  await wallet.connectWallet()
  await wallet.forgetWallet()
  expect(wallet.walletStore.get()).toEqual({ status: 'idle', address: null, chainId: null, walletName: null })
  expect(storage.get('wallet')).toBeNull()
  expect(await wallet.reconnectWallet()).toBeNull()
  expect(locked).not.toHaveBeenCalled()
  test1.useAccount(devAccount(3))
  expect(wallet.walletStore.get().address).toBeNull()
  expect((await wallet.connectWallet()).address).toBe(devAccount(3).address.toLowerCase())
})

describe('events', () => {
  test('account and chain changes are forwarded, the chain as a number', async () => {
    announce(test1, 'one.example')
    open()
    await wallet.connectWallet()
    const accounts: string[] = []
    const chains: number[] = []
    wallet.onAccountChange((address) => accounts.push(address))
    const stop = wallet.onChainChange((chainId) => chains.push(chainId))
    test1.setChain(1)
    test1.useAccount(devAccount(3))
    stop()
    test1.setChain(CHAIN_ID)
    test1.forget()
    await expect.poll(() => wallet.walletStore.get().status).toBe('idle')
    expect(chains).toEqual([1])
    expect(accounts).toEqual([devAccount(3).address.toLowerCase()])
  })

  test('a wallet that is locked is no change of account; another account is one, also after a lock', async () => {
    announce(test1, 'org.one')
    open()
    await wallet.connectWallet()
    const addresses: string[] = []
    wallet.onAccountChange((address) => addresses.push(address))
    test1.forget()
    await expect.poll(() => wallet.walletStore.get().address).toBeNull()
    expect(addresses).toEqual([])
    // Unlocked as the same account, and then as another one.
    await test1.request('eth_requestAccounts')
    expect((await wallet.reconnectWallet())?.address).toBe(devAccount(1).address.toLowerCase())
    expect(addresses).toEqual([])
    test1.forget()
    await expect.poll(() => wallet.walletStore.get().address).toBeNull()
    await test1.request('eth_requestAccounts')
    test1.useAccount(devAccount(2))
    await wallet.reconnectWallet()
    expect(addresses).toEqual([devAccount(2).address.toLowerCase()])
  })
})

describe('signing and networks', () => {
  test('signs as the connected account, connecting first where needed', async () => {
    announce(test1, 'one.example')
    open()
    const signature = await wallet.signMessage('hello')
    const signer = await recoverMessageAddress({ message: 'hello', signature })
    expect(signer.toLowerCase()).toBe(test1.address)
    test1.refuseNext('personal_sign')
    await expect(wallet.signMessage('hello')).rejects.toMatchObject({ kind: 'refused' })
  })

  const network = {
    chainId: CHAIN_ID_HEX,
    chainName: 'JuChain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    blockExplorerUrls: [],
  }

  test('adds a network that the wallet does not know, then is on it', async () => {
    test1 = newTestWallet({ chainId: 1, knowsChain: false })
    announce(test1, 'one.example')
    open()
    expect((await wallet.connectWallet()).chainId).toBe(1)
    await wallet.switchNetwork(network)
    expect(wallet.walletStore.get().chainId).toBe(CHAIN_ID)
    expect(test1.calls.filter((method) => method.startsWith('wallet_')).slice(1)).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
    ])
  })

  test('a refused switch is a refusal and adds nothing', async () => {
    test1 = newTestWallet({ chainId: 1 })
    announce(test1, 'one.example')
    open()
    await wallet.connectWallet()
    test1.refuseNext('wallet_switchEthereumChain')
    await expect(wallet.switchNetwork(network)).rejects.toMatchObject({ kind: 'refused' })
    expect(test1.calls).not.toContain('wallet_addEthereumChain')
    expect(wallet.walletStore.get().chainId).toBe(1)
  })

  test('token reads go through the wallet and open no window', async () => {
    announce(test1, 'one.example')
    open()
    await expect(wallet.readBalance(ECHO_LENGTH.address, test1.address)).rejects.toMatchObject({ kind: 'failed' })
    expect(test1.calls).toEqual([])
    await wallet.connectWallet()
    expect(await wallet.readBalance(ECHO_LENGTH.address, test1.address)).toBe(4n + 32n)
    expect(await wallet.readAllowance(ECHO_LENGTH.address, test1.address, ODD_REVERTS.address)).toBe(4n + 64n)
  })
})

describe('paying', () => {
  beforeEach(async () => {
    announce(test1, 'one.example')
    open()
    await wallet.connectWallet()
  })

  test('sends exactly what the server prepared and reports the receipt', async () => {
    const hashes: string[] = []
    expect(await wallet.sendRecharge(payment(1_000n), { sent: (hash) => hashes.push(String(hash)) })).toBe('confirmed')
    expect(hashes).toEqual(test1.sent)
    const mined = await test1.client.getTransaction({ hash: test1.sent[0] ?? '0x' })
    expect(mined).toMatchObject({
      to: ODD_REVERTS.address,
      value: 1_000n,
      input: payment(1_000n).prepared.data,
      gas: 1_000_000n,
    })
  })

  test('refused', async () => {
    test1.refuseNext('eth_sendTransaction')
    await expect(wallet.sendRecharge(payment(1_000n), nothing)).rejects.toMatchObject({ kind: 'refused' })
    expect(test1.sent).toEqual([])
  })

  test('reverted on the chain', async () => {
    test1.failNextPayment('revert')
    await expect(wallet.sendRecharge(payment(1_000n), nothing)).rejects.toMatchObject({ kind: 'reverted' })
    expect(test1.sent).toHaveLength(1)
  })

  test('on another chain nothing is sent', async () => {
    test1.setChain(1)
    await expect(wallet.sendRecharge(payment(1_000n), nothing)).rejects.toMatchObject({ kind: 'wrong-chain' })
    expect(test1.sent).toEqual([])
  })

  test('for another account than the connected one nothing is sent', async () => {
    const other = devAccount(5).address.toLowerCase() as `0x${string}`
    await expect(wallet.sendRecharge(payment(1_000n, other), nothing)).rejects.toMatchObject({ kind: 'wrong-account' })
    expect(test1.calls).not.toContain('eth_sendTransaction')
  })

  test('a sped-up payment is followed to its replacement', async () => {
    await rpc('evm_setAutomine', [false])
    test1.failNextPayment('speed-up')
    const hashes: string[] = []
    const paid = wallet.sendRecharge(payment(1_000n), { sent: (hash) => hashes.push(String(hash)) })
    await expect.poll(() => test1.sent).toHaveLength(2)
    await rpc('evm_mine')
    expect(await paid).toBe('confirmed')
    // A screen that shows the transaction shows the one that was mined.
    expect(hashes).toEqual(test1.sent)
    await expect(test1.client.getTransactionReceipt({ hash: test1.sent[0] ?? '0x' })).rejects.toThrow(/not be found/)
  })

  test('a payment cancelled in the wallet is a refusal', async () => {
    await rpc('evm_setAutomine', [false])
    test1.failNextPayment('cancel')
    const paid = wallet.sendRecharge(payment(1_000n), nothing)
    const ended = expect(paid).rejects.toMatchObject({ kind: 'cancelled' })
    await expect.poll(() => test1.sent).toHaveLength(2)
    await rpc('evm_mine')
    await ended
  })
})

test('a receipt that does not come in time is "still checking", and so is a wallet that leaves the chain', async () => {
  announce(test1, 'one.example')
  vi.stubGlobal('window', page)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { wallets } = discoverWallets(page, () => {})
  const engine = (await import('./engine.ts')).createEngine({ onChange: () => {}, wallets })
  await engine.connect('one.example Wallet one.example')
  await rpc('evm_setAutomine', [false])
  expect(await engine.sendRecharge(payment(1_000n), nothing, 700)).toBe('still-checking')
  const left = engine.sendRecharge(payment(1_002n), { sent: () => void setTimeout(() => test1.setChain(1), 200) }, 700)
  expect(await left).toBe('still-checking')
  await rpc('evm_mine')
  expect(warn).toHaveBeenCalledTimes(2)
  warn.mockRestore()
})
