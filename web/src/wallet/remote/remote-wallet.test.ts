/** Wallets on other devices, over a real relay of this machine and with the library's own other side as the wallet. */
import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { type Relay, startRelay } from '@candela/testing/wallets/remote/relay'
import { openRemoteWallet, type RemoteWallet } from '@candela/testing/wallets/remote/remote-wallet'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { recoverMessageAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../lib/storage.ts'
import { createWallet, type WalletPage } from '../create-wallet.ts'
import { announceOn, deployTestContracts, ODD_REVERTS, paymentOf } from '../testing-wallets.ts'
import type { WalletOption } from '../types.ts'
import { openClient } from './open-client.ts'
import { type Pairing, REMOTE_ID, type RemoteSettings } from './types.ts'

let anvil: Anvil
let relay: Relay
let page: WalletPage
let wallet: ReturnType<typeof createWallet>
let phone: TestWallet
let remote: RemoteWallet | undefined
let settings: RemoteSettings | null
let isPhone: boolean
/** The pairings that are shown, oldest first, and null where one was taken away. */
let shown: (Pairing | null)[]
let offered: (readonly WalletOption[])[]

beforeAll(async () => {
  // Each test is a page of its own.
  vi.stubEnv('DISABLE_GLOBAL_CORE', 'true')
  anvil = await startAnvil()
  relay = await startRelay()
  await deployTestContracts(anvil.url)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await relay.close()
  await anvil.stop()
})

beforeEach(() => {
  page = new EventTarget()
  settings = { projectId: 'a'.repeat(32), relayUrl: relay.url, rpcUrls: [anvil.url], origin: 'https://app.example' }
  isPhone = false
  shown = []
  offered = []
  phone = createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)] })
})
afterEach(async () => {
  await remote?.close()
  remote = undefined
  Reflect.deleteProperty(globalThis, 'window')
})

/** Opens the page; whoever is asked which wallet takes the one on the phone. */
function open() {
  vi.stubGlobal('window', page)
  wallet = createWallet(page, memoryStorage(), () => import('../engine.ts'))
  wallet.setChooser((options) => {
    offered.push(options)
    return Promise.resolve(REMOTE_ID)
  })
  wallet.setRemote({
    settings: () => Promise.resolve(settings),
    showPairing(pairing) {
      shown.push(pairing)
      return () => shown.push(null)
    },
    isPhone: () => isPhone,
  })
}

const takePhone = async (chains?: readonly number[]): Promise<RemoteWallet> =>
  (remote = await openRemoteWallet({
    relayUrl: relay.url,
    wallet: phone,
    address: devAccount(1).address,
    ...(chains !== undefined && { chains }),
  }))

const codeShown = (): Promise<Pairing> =>
  vi.waitFor(
    () => {
      const last = shown.at(-1)
      if (last === undefined || last === null) throw new Error('No code is shown')
      return last
    },
    { timeout: 30_000 },
  )

/** Taps, scans and agrees. */
async function connect(chains?: readonly number[]) {
  open()
  const mine = await takePhone(chains)
  const connecting = wallet.connectWallet()
  await mine.scan((await codeShown()).uri)
  const state = await connecting
  expect(shown.at(-1)).toBeNull()
  return { mine, state }
}

test('a wallet on a phone connects by its code, signs, and pays on our chain', async () => {
  const { mine, state } = await connect()
  expect(offered.map((options) => options.map(({ id }) => id))).toEqual([[REMOTE_ID]])
  expect(relay.projects).toContain('a'.repeat(32))
  expect(state).toEqual({
    status: 'connected',
    address: phone.address,
    chainId: CHAIN_ID,
    walletName: 'WalletConnect',
  })
  const signature = await wallet.signMessage('in')
  const signer = await recoverMessageAddress({ message: 'in', signature })
  expect(signer.toLowerCase()).toBe(phone.address)
  const sent: string[] = []
  const outcome = await wallet.sendRecharge(paymentOf(2n, phone.address), { sent: (hash) => sent.push(String(hash)) })
  expect(outcome).toBe('confirmed')
  expect(sent).toEqual(phone.sent)
  // The chain is read by its own node: the wallet was asked for nothing else.
  expect(await wallet.readBalance(null, ODD_REVERTS.address)).toBe(2n)
  expect(mine.asked).toEqual([
    { method: 'personal_sign', chainId: `eip155:${CHAIN_ID}` },
    { method: 'eth_sendTransaction', chainId: `eip155:${CHAIN_ID}` },
  ])
})

test('no in the wallet, to the connection and to a signature, is a refusal', async () => {
  open()
  const mine = await takePhone()
  mine.refuseNext()
  const connecting = wallet.connectWallet()
  connecting.catch(() => undefined)
  await mine.scan((await codeShown()).uri)
  await expect(connecting).rejects.toMatchObject({ kind: 'refused' })
  expect(wallet.walletStore.get().status).toBe('none')
  const again = wallet.connectWallet()
  await mine.scan((await codeShown()).uri)
  await again
  phone.refuseNext('personal_sign')
  await expect(wallet.signMessage('in')).rejects.toMatchObject({ kind: 'refused' })
  phone.refuseNext('eth_sendTransaction')
  await expect(wallet.sendRecharge(paymentOf(2n, phone.address), { sent: () => {} })).rejects.toMatchObject({
    kind: 'refused',
  })
})

test('who closes the code has refused nothing, and a wallet that scanned it all the same is let go', async () => {
  open()
  const mine = await takePhone()
  const connecting = wallet.connectWallet()
  const pairing = await codeShown()
  pairing.cancel()
  await expect(connecting).rejects.toMatchObject({ kind: 'not-chosen' })
  expect(shown.at(-1)).toBeNull()
  await mine.scan(pairing.uri)
  await vi.waitFor(() => expect(mine.ended()).toBe(1), { timeout: 30_000 })
  expect(wallet.walletStore.get().status).toBe('none')
})

test('who stops waiting sees no code any longer', async () => {
  open()
  const waiting = new AbortController()
  const connecting = wallet.connectWallet({ signal: waiting.signal })
  await codeShown()
  waiting.abort()
  await expect(connecting).rejects.toMatchObject({ kind: 'given-up' })
  await vi.waitFor(() => expect(shown.at(-1)).toBeNull())
})

test('a wallet that does not know our chain is given it, and pays on no other', async () => {
  const { mine, state } = await connect([1])
  expect(state.chainId).toBe(1)
  await expect(wallet.readBalance(null, phone.address)).rejects.toMatchObject({ kind: 'wrong-chain' })
  const network = {
    chainId: CHAIN_ID_HEX,
    chainName: 'JuChain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: [anvil.url],
    blockExplorerUrls: [],
  }
  phone.refuseNext('wallet_switchEthereumChain')
  await expect(wallet.switchNetwork(network)).rejects.toMatchObject({ kind: 'refused' })
  mine.knowsNoChain()
  await wallet.switchNetwork(network)
  expect(mine.asked.map(({ method }) => method)).toEqual([
    'wallet_switchEthereumChain',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
  ])
  expect(wallet.walletStore.get().chainId).toBe(CHAIN_ID)
  expect(await wallet.readBalance(null, phone.address)).toBeGreaterThan(0n)
})

test('another account and the end of a connection are noticed', async () => {
  const { mine } = await connect()
  const [accounts, locks]: [string[], number[]] = [[], []]
  wallet.onAccountChange((address) => accounts.push(address))
  wallet.onLock(() => locks.push(1))
  await mine.changeAccount(devAccount(2).address)
  const next = devAccount(2).address.toLowerCase()
  await vi.waitFor(() => expect(accounts).toEqual([next]), { timeout: 30_000 })
  await mine.disconnect()
  await vi.waitFor(() => expect(locks).toEqual([1]), { timeout: 30_000 })
  expect(wallet.walletStore.get().status).toBe('none')
  await expect(wallet.readBalance(null, phone.address)).rejects.toMatchObject({ kind: 'failed' })
})

test('a tap connects anew, and the wallet of before is let go', async () => {
  const { mine } = await connect()
  const first = remote
  await mine.disconnect()
  await vi.waitFor(() => expect(wallet.walletStore.get().status).toBe('none'), { timeout: 30_000 })
  await first?.close()
  const other = await takePhone()
  const connecting = wallet.connectWallet()
  await other.scan((await codeShown()).uri)
  expect((await connecting).status).toBe('connected')
})

test('whoever signs out lets the wallet go, there too: the next tap asks for another one', async () => {
  const { mine } = await connect()
  const locked = vi.fn()
  wallet.onLock(locked)
  await wallet.forgetWallet()
  expect(wallet.walletStore.get()).toEqual({ status: 'none', address: null, chainId: null, walletName: null })
  expect(locked).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(mine.ended()).toBe(1), { timeout: 30_000 })
  expect(await wallet.reconnectWallet()).toBeNull()
  const before = mine.asked.length
  const signing = wallet.signMessage('in')
  signing.catch(() => undefined)
  const pairing = await codeShown()
  expect(mine.asked).toHaveLength(before)
  pairing.cancel()
  await expect(signing).rejects.toMatchObject({ kind: 'not-chosen' })
})

test('a session that both sides end at once leaves nothing waiting, and no error that nobody has handled', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  try {
    const { engine } = await openClient(settings!)
    const { deleteSession, isValidDisconnect } = engine as unknown as Record<string, (params: object) => Promise<void>>
    const gone = { topic: '0'.repeat(64), reason: { code: 6000, message: 'User disconnected.' } }
    await deleteSession!(gone)
    // As the library does, whose own callers wait for it elsewhere.
    void isValidDisconnect!(gone)
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).not.toHaveBeenCalled()
    await expect(isValidDisconnect!(gone)).rejects.toThrow(/No matching key|recently deleted/)
  } finally {
    process.off('unhandledRejection', unhandled)
  }
})

test('beside a wallet of the browser there is a choice, but not in the browser of a wallet on a phone', async () => {
  announceOn(page, phone, 'one.example')
  open()
  wallet.setChooser((options) => {
    offered.push(options)
    return Promise.resolve('one.example Wallet one.example')
  })
  await wallet.connectWallet()
  expect(offered.map((options) => options.map(({ id }) => id))).toEqual([['one.example Wallet one.example', REMOTE_ID]])
  isPhone = true
  open()
  await wallet.connectWallet()
  expect(wallet.walletStore.get().address).toBe(phone.address)
  expect(offered).toHaveLength(1)
})

test('where the operator offers none there is none', async () => {
  settings = null
  open()
  await expect(wallet.connectWallet()).rejects.toMatchObject({ kind: 'not-installed' })
})
