/** Approvals by wallets that approve something else than they were asked for: the allowance on chain decides. */
import { loadArtifact } from '@candela/contracts/artifacts.ts'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../lib/storage.ts'
import { createWallet } from '../create-wallet.ts'
import { announceOn, ODD_REVERTS } from '../testing-wallets.ts'

const owner = devAccount(1).address.toLowerCase() as Hex
const spender = ODD_REVERTS.address
let anvil: Anvil
let token: Hex
let page: EventTarget
let source: TestWallet
let wallet: ReturnType<typeof createWallet>

beforeAll(async () => {
  anvil = await startAnvil()
  const { abi, bytecode } = await loadArtifact('StablecoinToken')
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: ['Test USDT', 'USDT', 1_000n, owner] })
  source = createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)] })
  const hash = (await source.request('eth_sendTransaction', [{ from: owner, data }])) as Hex
  token = (await source.client.waitForTransactionReceipt({ hash })).contractAddress as Hex
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  page = new EventTarget()
  source = createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)] })
  await approve(0n)
})
afterEach(() => void Reflect.deleteProperty(globalThis, 'window'))

/** Approves as the wallet's own window does. */
async function approve(amount: bigint): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  return (await source.request('eth_sendTransaction', [{ from: owner, to: token, data }])) as Hex
}

async function open(instead: () => Promise<unknown>): Promise<void> {
  let answer: unknown
  announceOn(page, source, 'one.example', {
    ignores: new Set(['eth_sendTransaction']),
    async fails({ method }) {
      if (method === 'eth_sendTransaction') answer = await instead()
    },
    answers: (method, own) => (method === 'eth_sendTransaction' ? answer : own),
  })
  vi.stubGlobal('window', page)
  wallet = createWallet(page, memoryStorage(), () => import('../engine.ts'))
  await wallet.connectWallet()
}

const nowhere = `0x${'ab'.repeat(32)}` as const
const ask = () => wallet.sendApproval({ owner, token, spender, amount: 20n }, { sent: () => {} })
const allowance = () => wallet.readAllowance(token, owner, spender)

test('lowered in the wallet: it is not enough, and the payment is not sent', async () => {
  await open(() => approve(5n))
  await expect(ask()).rejects.toMatchObject({ kind: 'no-allowance' })
  expect(await allowance()).toBe(5n)
})

test.each<[string, () => Promise<unknown>]>([
  ['raised in the wallet', () => approve(1_000n)],
  ['answered with a hash that never exists', () => approve(20n).then(() => nowhere)],
  ['answered with something that is no hash', () => approve(20n).then(() => ({ safe: 1 }))],
  ['approved, and never answered', () => approve(20n).then(() => new Promise(() => {}))],
  [
    'answered with nothing, and approved later by somebody else',
    async () => void setTimeout(() => void approve(20n), 2_000),
  ],
  [
    'approved, and then an error',
    async () => {
      await approve(20n)
      throw new Error('Internal error')
    },
  ],
])('%s: it is enough', async (_how, instead) => {
  await open(instead)
  expect(await ask()).toBe('confirmed')
  expect(await allowance()).toBeGreaterThanOrEqual(20n)
})

test('an error that has approved nothing leaves it open, in the words of the wallet', async () => {
  await open(() => Promise.reject(new Error('Signing on the device has failed')))
  await expect(ask()).rejects.toMatchObject({ kind: 'unknown', said: 'Signing on the device has failed' })
})

test('taking an allowance back: it is not back while anything is left', async () => {
  await approve(30n)
  await open(() => approve(3n))
  const revoke = { owner, token, spender, amount: 0n }
  await expect(wallet.sendApproval(revoke, { sent: () => {} })).rejects.toMatchObject({ kind: 'failed' })
  expect(await allowance()).toBe(3n)
})
