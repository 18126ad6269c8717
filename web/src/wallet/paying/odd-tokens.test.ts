/** Tokens with the oddities of known stablecoins, from the approval to the payment through the contract. */
import { loadArtifact, uniswapArtifact } from '@candela/contracts/artifacts.ts'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { gatewayArguments, openingCalls } from '@candela/testing/chain/gateway'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { type Abi, encodeAbiParameters, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../lib/storage.ts'
import { createWallet } from '../create-wallet.ts'
import { announceOn } from '../testing-wallets.ts'
import type { SendEvents } from '../types.ts'

type Oddity = 'returnsNothing' | 'approvesFromZeroOnly' | 'refusesZero' | 'keepsFee' | 'paused'

const owner = devAccount(1).address.toLowerCase() as Hex
const CAP = 2n ** 104n - 1n
let anvil: Anvil
let source: TestWallet
let wallet: ReturnType<typeof createWallet>
let token: Hex
let gateway: Hex
let oddAbi: Abi

const sendAs = (to: Hex | undefined, data: Hex) =>
  source.request('eth_sendTransaction', [{ from: owner, data, ...(to !== undefined && { to }) }]) as Promise<Hex>

async function deploy(artifact: { abi: readonly unknown[]; bytecode: Hex }, args: readonly unknown[]): Promise<Hex> {
  const hash = await sendAs(
    undefined,
    encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode, args }),
  )
  const { contractAddress } = await source.client.waitForTransactionReceipt({ hash })
  return contractAddress?.toLowerCase() as Hex
}

const newSource = () => createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)] })

beforeAll(async () => {
  anvil = await startAnvil()
  source = newSource()
  const odd = await loadArtifact('OddToken')
  oddAbi = odd.abi as Abi
  token = await deploy(odd, [owner])
  const hash = await deploy(await loadArtifact('StablecoinToken'), ['HASH', 'HASH', 1n, owner])
  const wju = await deploy(await uniswapArtifact('WETH9'), [])
  const factory = await deploy(await uniswapArtifact('UniswapV2Factory'), [owner])
  const router = await deploy(await uniswapArtifact('UniswapV2Router02'), [factory, wju])
  const roles = { owner, payer: devAccount(2).address, attester: devAccount(3).address, caps: [CAP, CAP, CAP] } as const
  const construction = gatewayArguments(roles, { router, usdt: token, hash })
  gateway = await deploy(await loadArtifact('PaymentGateway'), construction)
  for (const data of openingCalls(hash)) await sendAs(gateway, data)
})
afterAll(() => anvil.stop())

async function set(...oddities: Oddity[]): Promise<void> {
  const none = {
    returnsNothing: false,
    approvesFromZeroOnly: false,
    refusesZero: false,
    keepsFee: false,
    paused: false,
  }
  const next = { ...none, ...Object.fromEntries(oddities.map((oddity) => [oddity, true])) }
  await sendAs(token, encodeFunctionData({ abi: oddAbi, functionName: 'set', args: [next] }))
}
const setBlocked = (account: Hex, isBlocked: boolean) =>
  sendAs(token, encodeFunctionData({ abi: oddAbi, functionName: 'setBlocked', args: [account, isBlocked] }))
const approveBefore = (amount: bigint) =>
  sendAs(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [gateway, amount] }))

beforeEach(async () => {
  source = newSource()
  await set()
  await setBlocked(owner, false)
  await approveBefore(0n)
  source = newSource()
  const page = new EventTarget()
  announceOn(page, source, 'one.example')
  vi.stubGlobal('window', page)
  wallet = createWallet(page, memoryStorage(), () => import('../engine.ts'))
  await wallet.connectWallet()
})
afterEach(() => void Reflect.deleteProperty(globalThis, 'window'))

const nothing: SendEvents = { sent: () => {} }
const approve = (amount: bigint, on = nothing) => wallet.sendApproval({ owner, token, spender: gateway, amount }, on)
const allowance = () => wallet.readAllowance(token, owner, gateway)
const held = () => wallet.readBalance(token, gateway)

function pay(amount: bigint) {
  const terms = { abiKey: 'deposit', asset: 'USDT', amount, customer: owner, reference: 'DEPOSIT1' } as const
  const tuple = [String(amount), token, owner, terms.reference] as [string, string, string, string]
  const parameters = encodeAbiParameters(rechargeDataTypes, [amount, token, owner, terms.reference])
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: ['deposit', parameters] })
  const prepared = {
    chainId: CHAIN_ID,
    to: gateway,
    abiKey: 'deposit',
    tuple,
    data,
    value: '0',
    gas: '1000000',
  } as const
  return wallet.sendRecharge({ terms, prepared }, nothing)
}

describe.each<[string, Oddity[]]>([
  ['an ordinary one', []],
  ['one that returns nothing', ['returnsNothing']],
  ['one that changes an allowance only from zero, and returns nothing', ['approvesFromZeroOnly', 'returnsNothing']],
  ['one that refuses an allowance of zero', ['refusesZero']],
])('%s', (_name, oddities) => {
  test('is approved and paid with', async () => {
    await set(...oddities)
    const before = await held()
    expect(await approve(20n)).toBe('confirmed')
    expect(await pay(20n)).toBe('confirmed')
    expect((await held()) - before).toBe(20n)
  })
})

test('an allowance that changes only from zero is taken back first, in one tap', async () => {
  await approveBefore(1n)
  await set('approvesFromZeroOnly')
  source.sent.length = 0
  let said = 0
  expect(await approve(20n, { ...nothing, takingBack: () => (said += 1) })).toBe('confirmed')
  expect([said, source.sent.length, await allowance()]).toEqual([1, 2, 20n])
  // Taking it back alone is one window.
  expect(await approve(0n)).toBe('confirmed')
  expect([source.sent.length, await allowance()]).toEqual([3, 0n])
})

test('an ordinary allowance is raised at once', async () => {
  await approveBefore(1n)
  source.sent.length = 0
  expect(await approve(20n)).toBe('confirmed')
  expect(source.sent).toHaveLength(1)
})

test.each<[string, bigint, Oddity[]]>([
  ['that cannot be taken back', 0n, ['refusesZero']],
  ['that can neither be raised nor be taken back', 20n, ['approvesFromZeroOnly', 'refusesZero']],
  ['of a token that is paused', 20n, ['paused']],
])('an allowance %s: the wallet is not asked, and it is said', async (_name, amount, oddities) => {
  await approveBefore(1n)
  await set(...oddities)
  source.sent.length = 0
  await expect(approve(amount)).rejects.toMatchObject({ kind: 'would-revert' })
  expect([source.sent.length, await allowance()]).toEqual([0, 1n])
})

test.each<[string, () => Promise<unknown>]>([
  ['that has begun to keep a fee of each transfer', () => set('keepsFee')],
  ['that is paused', () => set('paused')],
  ['whose block list has the payer', () => setBlocked(owner, true)],
])('a payment with a token %s moves nothing, and the person is told that it failed', async (_name, change) => {
  expect(await approve(2_000n)).toBe('confirmed')
  await change()
  const [before, own] = [await held(), await wallet.readBalance(token, owner)]
  await expect(pay(2_000n)).rejects.toMatchObject({
    kind: expect.stringMatching(/^(?:would-revert|reverted|unknown)$/),
  })
  expect([await held(), await wallet.readBalance(token, owner)]).toEqual([before, own])
})
