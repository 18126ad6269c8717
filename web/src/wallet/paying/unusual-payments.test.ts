/** Things that wallets do with a payment that they were asked for. The table of them is `docs/reference/wallets.md`. */
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { type DeviceStorage, memoryStorage } from '../../lib/storage.ts'
import { createWallet } from '../create-wallet.ts'
import type { WalletError } from '../errors.ts'
import { announceOn, deployTestContracts, ECHO_LENGTH, ODD_REVERTS, paymentOf } from '../testing-wallets.ts'

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

test('a payment is asked for by one method, once, and names the chain', async () => {
  const asked: { method: string; params?: unknown[] }[] = []
  announce(test1, 'one.example', {
    refuses(call) {
      asked.push(call)
      if (call.method === 'eth_sendTransaction') return { code: -32_602, message: 'Invalid parameters' }
      return call.method === 'wallet_sendTransaction' ? null : undefined
    },
  })
  open()
  await wallet.connectWallet()
  await expect(wallet.sendRecharge(payment(1_012n), nothing)).rejects.toMatchObject({
    kind: 'unknown',
    said: 'Invalid parameters',
  })
  const sends = asked.filter(({ method }) => method.endsWith('sendTransaction'))
  expect(sends.map(({ method }) => method)).toEqual(['eth_sendTransaction'])
  expect(sends[0]?.params?.[0]).toMatchObject({ chainId: `0x${CHAIN_ID.toString(16)}`, from: expect.any(String) })
})

test.each([
  ['a no', { code: 4001, message: 'User rejected the request.' }, 'refused'],
  ['a no in Chinese', { message: '用户取消' }, 'refused'],
  ['one word', 'cancel', 'refused'],
  ['an empty object', {}, 'unknown'],
  ['too little JU', { code: -32_000, message: 'insufficient funds for gas * price + value' }, 'no-gas'],
  ['too little of the token', { code: -32_000, message: 'ERC20: transfer amount exceeds balance' }, 'no-token'],
  ['an extension that was updated', { message: 'Extension context invalidated.' }, 'gone'],
  ['a ledger', { code: -32_603, message: 'Please enable Blind signing in the Ethereum app' }, 'unknown'],
])('an error after a payment was asked for, %s: as it says, and "unknown" once anything was sent', async (...of) => {
  const [, error, kind] = of
  let sendsFirst = false
  announce(test1, 'one.example', {
    async fails({ method, params }) {
      if (method !== 'eth_sendTransaction') return
      if (sendsFirst) await test1.request(method, params)
      throw error
    },
  })
  open()
  await wallet.connectWallet()
  await expect(wallet.sendRecharge(payment(1_014n), nothing)).rejects.toMatchObject({ kind })
  expect(test1.sent).toEqual([])
  sendsFirst = true
  await expect(wallet.sendRecharge(payment(1_016n), nothing)).rejects.toMatchObject({ kind: 'unknown' })
  expect(test1.sent).toHaveLength(1)
})

test('a wallet whose network is changed in its window is noticed', async () => {
  announce(test1, 'one.example', {
    async fails({ method }) {
      if (method === 'eth_sendTransaction') test1.setChain(1)
    },
    answers: (method, answer) => (method === 'eth_sendTransaction' ? `0x${'ab'.repeat(32)}` : answer),
    ignores: new Set(['eth_sendTransaction']),
  })
  open()
  await wallet.connectWallet()
  await expect(wallet.sendRecharge(payment(1_018n), nothing)).rejects.toMatchObject({ kind: 'left-chain' })
})

test('a wallet that answers no hash leaves open whether it was paid', async () => {
  announce(test1, 'one.example', {
    answers: (method, answer) => (method === 'eth_sendTransaction' ? { id: 'safe-1' } : answer),
  })
  open()
  await wallet.connectWallet()
  const sent: unknown[] = []
  expect(await wallet.sendRecharge(payment(1_020n), { sent: (hash) => sent.push(hash) })).toBe('still-checking')
  expect(sent).toEqual([null])
})

test.each([
  [0, 'reverted'],
  [1, 'confirmed'],
])('a receipt whose status is the number %i', async (status, outcome) => {
  announce(test1, 'one.example', {
    answers: (method, answer) =>
      method === 'eth_getTransactionReceipt' && answer !== null ? { ...answer, status } : answer,
  })
  open()
  await wallet.connectWallet()
  const paid = await wallet.sendRecharge(payment(1_022n), nothing).catch(({ kind }: WalletError) => kind)
  expect(paid).toBe(outcome)
})

test('a payment other than the one that is shown, or to another contract, is asked of no wallet', async () => {
  announce(test1, 'one.example')
  vi.stubGlobal('window', page)
  const { terms, prepared } = payment(1_024n)
  const stranger = devAccount(9).address.toLowerCase() as `0x${string}`
  const known = { gateway: ODD_REVERTS.address, usdt: stranger, hash: stranger } as const
  wallet = createWallet(page, storage, () => import('../engine.ts'), known)
  await wallet.connectWallet()
  const own = payment(1_025n).prepared
  for (const other of [
    { ...prepared, data: own.data },
    { ...prepared, value: own.value },
    { ...prepared, chainId: 1 },
    { ...prepared, to: stranger },
  ])
    await expect(wallet.sendRecharge({ terms, prepared: other }, nothing)).rejects.toMatchObject({ kind: 'altered' })
  const { address } = test1
  const token = ECHO_LENGTH.address
  for (const asked of [
    wallet.sendNative({ from: address, to: stranger, value: 2n }, nothing),
    wallet.sendApproval({ owner: address, token, spender: ODD_REVERTS.address, amount: 1n }, nothing),
    wallet.sendApproval({ owner: address, token: stranger, spender: stranger, amount: 1n }, nothing),
  ])
    await expect(asked).rejects.toMatchObject({ kind: 'altered' })
  expect(test1.calls).not.toContain('eth_sendTransaction')
  expect(await wallet.sendRecharge({ terms, prepared }, nothing)).toBe('confirmed')
})
