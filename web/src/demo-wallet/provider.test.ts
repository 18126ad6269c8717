import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  recoverMessageAddress,
  recoverTypedDataAddress,
  toHex,
} from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { demoAccounts } from './accounts.ts'
import { connectChain, type PreparedPayment } from './chain.ts'
import { describeCall } from './decisions.ts'
import { createDemoProvider, type Memory } from './provider.ts'
import type { TypedTerms } from './typed-terms.ts'

let anvil: Anvil
beforeAll(async () => (anvil = await startAnvil()))
afterAll(() => anvil.stop())

/** The scripted person was shown this, and answers so. */
let shown: { signed: string[]; terms: TypedTerms[]; paid: PreparedPayment[] }
let says: boolean
let picks: number
let kept: ReturnType<Memory['load']>
beforeEach(() => {
  shown = { signed: [], terms: [], paid: [] }
  says = true
  picks = 0
  kept = null
})

const open = () =>
  createDemoProvider(
    {
      connect: async (accounts) => (says ? (accounts[picks] ?? null) : null),
      sign: async (_account, text) => (shown.signed.push(text), says),
      signTerms: async (_account, terms) => (shown.terms.push(terms), says),
      pay: async (_account, payment) => (shown.paid.push(payment), says),
    },
    { load: () => kept, save: (address, allowed) => (kept = { address, allowed }) },
    async () =>
      connectChain({
        chainId: CHAIN_ID_HEX,
        chainName: 'test',
        nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
        rpcUrls: [anvil.url],
        blockExplorerUrls: [],
      }),
  )

const addressOf = (index: number): Hex => demoAccounts()[index]?.address ?? '0x'

test('connects as the chosen person, once, and remembers', async () => {
  const wallet = open()
  expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
  says = false
  await expect(wallet.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
  says = true
  picks = 2
  expect(await wallet.request({ method: 'eth_requestAccounts' })).toEqual([addressOf(2)])
  says = false
  expect(await wallet.request({ method: 'eth_requestAccounts' })).toEqual([addressOf(2)])
  expect(await open().request({ method: 'eth_accounts' })).toEqual([addressOf(2)])
})

test('another person, or nobody, is told to the page', async () => {
  const wallet = open()
  const heard: unknown[] = []
  wallet.on('accountsChanged', (accounts) => heard.push(accounts))
  await wallet.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
  const [, second] = demoAccounts()
  if (second !== undefined) wallet.window.choose(second)
  wallet.window.forget()
  expect(heard).toEqual([[addressOf(0)], [addressOf(1)], []])
  await expect(wallet.request({ method: 'personal_sign', params: ['0x00', addressOf(1)] })).rejects.toMatchObject({
    code: 4100,
  })
})

test('shows the text that it signs, and signs it', async () => {
  const wallet = open()
  await wallet.request({ method: 'eth_requestAccounts' })
  const message = '登入 Candela\nNonce: 1'
  const ask = () => wallet.request({ method: 'personal_sign', params: [toHex(message), addressOf(0)] })
  const signature = (await ask()) as Hex
  expect((await recoverMessageAddress({ message, signature })).toLowerCase()).toBe(addressOf(0))
  says = false
  await expect(ask()).rejects.toMatchObject({ code: 4001 })
  expect(shown.signed).toEqual([message, message])
})

test('shows every term that it signs, and signs no other chain’s', async () => {
  const wallet = open()
  await wallet.request({ method: 'eth_requestAccounts' })
  const data = transferTypedData(
    {
      from: addressOf(0),
      to: addressOf(1),
      asset: 'USDT',
      amount: 12_500_000_000_000_000_000n,
      requestId: 'request-1',
      deadline: new Date('2026-03-01T12:00:00Z'),
    },
    '0x00000000000000000000000000000000000000aa',
  )
  const ask = (typed: object) =>
    wallet.request({ method: 'eth_signTypedData_v4', params: [addressOf(0), JSON.stringify(typed)] })
  const signature = (await ask(data)) as Hex
  expect((await recoverTypedDataAddress({ ...data, signature })).toLowerCase()).toBe(addressOf(0))
  expect(shown.terms).toEqual([
    {
      site: 'Candela',
      action: 'Transfer',
      contract: '0x00000000000000000000000000000000000000aa',
      fields: [
        ['from', addressOf(0)],
        ['to', addressOf(1)],
        ['asset', 'USDT'],
        ['amount', '12.5'],
        ['requestId', 'request-1'],
        ['deadline', '2026-03-01T12:00:00.000Z'],
      ],
    },
  ])
  says = false
  await expect(ask(data)).rejects.toMatchObject({ code: 4001 })
  await expect(ask({ ...data, domain: { ...data.domain, chainId: 1 } })).rejects.toMatchObject({ code: 4902 })
  await expect(ask({ domain: data.domain })).rejects.toMatchObject({ code: -32_602 })
  await expect(wallet.request({ method: 'eth_signTypedData_v4', params: [addressOf(1), '{}'] })).rejects.toMatchObject({
    code: 4100,
  })
})

test('pays for real after showing the amounts, and nothing when refused', async () => {
  const wallet = open()
  await wallet.request({ method: 'eth_requestAccounts' })
  const to = '0x00000000000000000000000000000000000000aa'
  const ask = () =>
    wallet.request({
      method: 'eth_sendTransaction',
      params: [{ from: addressOf(0), to, value: '0x3e8', gas: '0xf4240' }],
    })
  const balance = async () =>
    hexToBigInt((await wallet.request({ method: 'eth_getBalance', params: [to, 'latest'] })) as Hex)
  says = false
  await expect(ask()).rejects.toMatchObject({ code: 4001 })
  expect(await balance()).toBe(0n)
  says = true
  const hash = (await ask()) as Hex
  await expect.poll(() => wallet.request({ method: 'eth_getTransactionReceipt', params: [hash] })).not.toBeNull()
  expect(await balance()).toBe(1_000n)
  expect(shown.paid[1]).toMatchObject({ value: 1_000n, gas: 1_000_000n, symbol: 'JU' })
  expect(shown.paid[1]?.maxFee).toBe(1_000_000n * (shown.paid[1]?.gasPrice ?? 0n))
})

test('keeps what a real node does not offer out of reach, and other chains too', async () => {
  const wallet = open()
  const ask = (method: string, params: unknown[] = []) => wallet.request({ method, params })
  await expect(ask('anvil_setBalance', [addressOf(0), '0x0'])).rejects.toMatchObject({ code: 4200 })
  await expect(ask('eth_sendRawTransaction', ['0x'])).rejects.toMatchObject({ code: 4200 })
  await expect(ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).rejects.toMatchObject({ code: 4902 })
  expect(await ask('wallet_switchEthereumChain', [{ chainId: CHAIN_ID_HEX }])).toBeNull()
  expect(await ask('eth_blockNumber')).toMatch(/^0x/)
})

test('explains a payment of ours and nothing else', () => {
  const customer = addressOf(1)
  const zero = '0x0000000000000000000000000000000000000000'
  const inner = encodeAbiParameters(rechargeDataTypes, [5n, zero, customer, 'ORDER1'])
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: ['buyPower', inner] })
  expect(describeCall(data)).toMatchObject({ action: 'buyPower', amount: 5n, asset: null, reference: 'ORDER1' })
  expect(describeCall(encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'pause' }))).toBeNull()
  expect(describeCall('0x12345678')).toBeNull()
})
