import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { encodeAbiParameters, getAbiItem, type Hex, numberToHex, pad, type RpcLog } from 'viem'
import { describe, expect, test } from 'vitest'
import { RpcError } from '../../ask.ts'
import {
  assetsByAddress,
  decodePayments,
  paidTopic,
  paymentTopic,
  topicOf,
  transferTopic,
  UnreadablePayment,
} from './decode.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const hash = (n: number) => pad(numberToHex(n), { size: 32 })
const gateway = address('1')
const usdt = address('a')
const assets = assetsByAddress({ usdt: usdt.toUpperCase().replace('0X', '0x'), hash: address('b') })
const { inputs } = getAbiItem({ abi: paymentGatewayAbi, name: 'TransactionDetails' })

type Data = { tokens?: Hex[]; amounts?: bigint[]; remark?: string; people?: Hex[] }

const dataOf = ({
  tokens = [usdt],
  amounts = [5n],
  remark = 'deposit:',
  people = [address('c'), address('d')],
}: Data) => encodeAbiParameters(inputs, [tokens, amounts, remark, people])

function logOf(
  place: { block?: number; index?: number; tx?: number },
  data: Data = {},
  more: Partial<RpcLog> = {},
): RpcLog {
  const { block = 7, index = 0, tx = 1 } = place
  return {
    address: gateway,
    topics: [paymentTopic],
    data: dataOf(data),
    blockNumber: numberToHex(block),
    blockHash: hash(1000 + block),
    transactionHash: hash(tx),
    transactionIndex: '0x0',
    logIndex: numberToHex(index),
    removed: false,
    ...more,
  }
}

const decode = (...logs: RpcLog[]) => decodePayments(logs, gateway, assets)

describe('what a payment says', () => {
  test('a purchase in USDT for somebody else', () => {
    const data = { amounts: [12n], remark: 'buyPower:20260101-ABC:x', people: [address('c'), address('d')] }
    expect(decode(logOf({ block: 9, index: 3, tx: 4 }, data))).toEqual([
      {
        txHash: hash(4),
        logIndex: 3,
        txPosition: 0,
        blockNumber: 9n,
        blockHash: hash(1009),
        action: 'buyPower',
        reference: '20260101-ABC:x',
        asset: 'USDT',
        amount: 12n,
        payer: address('c'),
        customer: address('d'),
      },
    ])
  })

  test('the zero address is the native currency, and a plain receipt has no reference', () => {
    const [payment] = decode(logOf({}, { tokens: [NATIVE_ASSET], remark: 'native:' }))
    expect(payment).toMatchObject({ asset: 'JU', action: 'native', reference: '' })
  })

  test('the output coin', () => {
    expect(decode(logOf({}, { tokens: [address('b')] }))[0]?.asset).toBe('HASH')
  })

  test.each(['', 'gift', 'gift:1', 'buypower:1', ' deposit:'])('the remark %j is kept under "unknown"', (remark) => {
    expect(decode(logOf({}, { remark }))[0]).toMatchObject({ action: 'unknown', reference: remark })
  })

  test('a remark that Postgres could not keep is still kept readable', () => {
    expect(decode(logOf({}, { remark: 'a\0b' }))[0]).toMatchObject({ action: 'unknown', reference: 'a\uFFFDb' })
  })
})

describe('order and repetition', () => {
  test('payments come in chain order and count their place in the transaction', () => {
    const logs = [
      logOf({ block: 8, index: 0, tx: 3 }),
      logOf({ block: 7, index: 9, tx: 2 }),
      logOf({ block: 7, index: 2, tx: 1 }),
      logOf({ block: 7, index: 10, tx: 2 }),
      logOf({ block: 7, index: 9, tx: 2 }),
    ]
    const places = decode(...logs).map((one) => [Number(one.blockNumber), one.logIndex, one.txPosition])
    expect(places).toEqual([
      [7, 2, 0],
      [7, 9, 0],
      [7, 10, 1],
      [8, 0, 0],
    ])
  })
})

describe('answers that cannot be used', () => {
  test.each<[string, RpcLog[]]>([
    ['removed', [logOf({}, {}, { removed: true })]],
    ['of another contract', [logOf({}, {}, { address: address('2') })]],
    ['of another event', [logOf({}, {}, { topics: [hash(5)] })]],
    ['still pending', [logOf({}, {}, { blockHash: null })]],
    ['of two blocks with one number', [logOf({ index: 1 }), logOf({ index: 2 }, {}, { blockHash: hash(5) })]],
    ['of two transactions with one index', [logOf({ tx: 1 }), logOf({ tx: 2 })]],
  ])('logs that are %s', (_name, logs) => {
    expect(() => decode(...logs)).toThrow(RpcError)
  })

  test.each<[string, Data]>([
    ['no configured asset', { tokens: [address('e')] }],
    ['several assets', { tokens: [usdt, usdt] }],
    ['several amounts', { amounts: [1n, 2n] }],
    ['several people it is for', { people: [address('c'), address('d'), address('e')] }],
    ['no amount', { amounts: [] }],
    ['nobody it is for', { people: [address('c')] }],
  ])('a payment with %s stops the reading instead of being dropped', (_name, data) => {
    expect(() => decode(logOf({}, data))).toThrow(UnreadablePayment)
    expect(() => decode(logOf({}, data))).toThrow(hash(1))
  })

  test('data that is no encoding', () => {
    expect(() => decode(logOf({}, {}, { data: '0x1234' }))).toThrow(UnreadablePayment)
  })
})

const transfer = (index: number, from: Hex, amount: bigint, more: Partial<RpcLog> = {}): RpcLog =>
  logOf(
    { index },
    {},
    {
      address: usdt,
      topics: [transferTopic, topicOf(from), topicOf(gateway)],
      data: pad(numberToHex(amount), { size: 32 }),
      ...more,
    },
  )
const paid = (index: number, token: Hex = usdt): RpcLog => {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const
  const data = encodeAbiParameters(types, [token, address('d'), 9n])
  return logOf({ index }, {}, { topics: [paidTopic, hash(77)], data })
}
const actions = (...logs: RpcLog[]) =>
  decode(...logs).map(({ action, logIndex, txPosition }) => [action, logIndex, txPosition])

describe('payouts and bare transfers', () => {
  test('a payout says what was paid to whom; one of a token that is none of ours is left out', () => {
    expect(decode(paid(4), paid(5, address('e')))).toMatchObject([
      {
        action: 'paid',
        reference: hash(77),
        asset: 'USDT',
        amount: 9n,
        payer: gateway,
        customer: address('d'),
        txPosition: 1_000_000,
      },
    ])
  })

  test('the transfer of a payment is part of it; another one is money by itself', () => {
    const c = address('c')
    expect(actions(transfer(0, c, 5n), logOf({ index: 1 }))).toEqual([['deposit', 1, 0]])
    expect(actions(transfer(0, c, 5n))).toEqual([['transfer', 0, 2_000_000]])
    const near = [transfer(0, c, 5n), transfer(1, c, 5n), logOf({ index: 2 }), transfer(3, c, 5n), logOf({ index: 4 })]
    expect(actions(...near, transfer(5, c, 5n))).toEqual([
      ['transfer', 0, 2_000_000],
      ['deposit', 2, 0],
      ['deposit', 4, 1],
      ['transfer', 5, 2_000_001],
    ])
  })

  test.each([
    ['sender', transfer(0, address('d'), 5n)],
    ['amount', transfer(0, address('c'), 6n)],
    ['token', transfer(0, address('c'), 5n, { address: address('b') })],
    ['transaction', transfer(0, address('c'), 5n, { transactionHash: hash(9) })],
  ])('the transfer before a payment is not of it with another %s', (_name, before) => {
    expect(actions(before, logOf({ index: 1 })).map(([action]) => action)).toEqual(['transfer', 'deposit'])
  })

  test('nothing sent is nothing; a transfer to somebody else was not asked for', () => {
    expect(decode(transfer(0, address('c'), 0n))).toEqual([])
    const elsewhere = { topics: [transferTopic, topicOf(address('c')), topicOf(address('d'))] as [Hex, Hex, Hex] }
    expect(() => decode(transfer(0, address('c'), 5n, elsewhere))).toThrow(RpcError)
    expect(() => decode(transfer(0, address('c'), 5n, { address: address('9') }))).toThrow(RpcError)
  })
})
