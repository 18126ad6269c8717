import { paymentTopic } from '@candela/server/chain/follow/read/decode'
import { addDays } from '@candela/protocol/calendar'
import * as fc from 'fast-check'
import { bytesToHex, concatHex, type Hex, numberToHex, pad } from 'viem'

/** Anything that somebody may pay with. Amounts in base units. */
export type AnyPayment =
  /** `recharge` of the contract, which refuses what it does not know. */
  | {
      by: 'call'
      key: string
      asset: 'JU' | 'USDT' | 'HASH'
      amount: bigint
      reference: string
      customer: Hex
      from: Hex
    }
  /** The most that the contract's event could say: any remark and any people. The money comes as native currency. */
  | { by: 'event'; remark: Hex; amount: bigint; people: [payer: Hex, customer: Hex]; from: Hex }
  | { by: 'transfer'; asset: 'USDT' | 'HASH'; amount: bigint; from: Hex }
  | { by: 'native'; amount: bigint; from: Hex }

export type Known = { people: readonly Hex[]; senders: readonly Hex[]; references: readonly string[]; today: string }

/** The contract takes references up to this long. */
const MAX_REFERENCE_BYTES = 128

const amounts = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 20n }) },
  { weight: 2, arbitrary: fc.constantFrom(0n, 1n, 100n * 10n ** 18n) },
)
/** As many digits as the contract could say. A node does not take that much native currency. */
const tokenAmounts = fc.oneof(
  { weight: 9, arbitrary: amounts },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 96n, 2n ** 128n, 2n ** 200n, 2n ** 240n) },
)
const nativeAmounts = fc.oneof(
  { weight: 9, arbitrary: amounts },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 64n, 2n ** 96n) },
)

const hostile = [
  '',
  ':',
  '::',
  ' ',
  'null',
  '__proto__',
  "' or 1=1 --",
  '"; drop table member; --',
  '<script>alert(1)</script>',
  '%s%n\\0',
  '=1+1',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '+275760-09-13',
  '-1',
  '1e400',
  '9'.repeat(MAX_REFERENCE_BYTES),
  'x'.repeat(MAX_REFERENCE_BYTES),
]
const beyondAscii = ['\u0000', 'a\u0000b', '🕯️', '\u202Edrowssap', '１２', 'İ'.repeat(40), '\uFFFD', '\n\r\t']

function references({ references: known, today }: Known): fc.Arbitrary<string> {
  const days = fc.integer({ min: -40, max: 3 }).map((distance) => addDays(today, distance))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...hostile, ...known) },
    { weight: 1, arbitrary: days },
    { weight: 2, arbitrary: fc.string({ maxLength: MAX_REFERENCE_BYTES }) },
    { weight: 1, arbitrary: fc.constantFrom(...beyondAscii) },
  )
}

const keys = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('buyPower', 'deposit', 'revenue', 'repay') },
  { weight: 1, arbitrary: fc.constantFrom('native', 'paid', 'transfer', 'unknown', '', 'Deposit', 'constructor') },
)

/** Payments of every kind; most of them arrive. */
export function anyPayments(known: Known): fc.Arbitrary<AnyPayment> {
  const from = fc.constantFrom(...known.senders)
  const person = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known.people) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes)) },
  )
  const reference = references(known)
  const text = fc.tuple(keys, reference).map(([key, rest]) => `${key}:${rest}`)
  const remark = fc.oneof(
    fc.oneof(text, reference).map((each) => bytesToHex(new TextEncoder().encode(each))),
    // Not even UTF-8.
    fc.uint8Array({ maxLength: MAX_REFERENCE_BYTES }).map((bytes) => bytesToHex(bytes)),
  )
  const paid = fc.oneof(
    fc.record({ asset: fc.constant('JU'), amount: nativeAmounts }),
    fc.record({ asset: fc.constantFrom('USDT', 'HASH'), amount: tokenAmounts }),
  )
  const token = fc.constantFrom('USDT', 'HASH')
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(paid, fc.record({ by: fc.constant('call'), key: keys, reference, customer: person, from }))
        .map(([what, rest]) => ({ ...what, ...rest })),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        by: fc.constant('event'),
        remark,
        amount: nativeAmounts,
        people: fc.tuple(person, person),
        from,
      }),
    },
    { weight: 1, arbitrary: fc.record({ by: fc.constant('transfer'), asset: token, amount: tokenAmounts, from }) },
    { weight: 1, arbitrary: fc.record({ by: fc.constant('native'), amount: nativeAmounts, from }) },
  )
}

/** One of each kind whose way to the books is its own: chance alone may leave a kind out of a short run. */
export function onePaymentOfEachKind({ senders, today }: Known): AnyPayment[] {
  const [from] = senders
  if (from === undefined) throw new Error('somebody pays')
  const call = { by: 'call', asset: 'HASH', amount: 1n, reference: today, customer: from, from } as const
  return [
    ...(['buyPower', 'deposit', 'revenue', 'repay'] as const).map((key) => ({ ...call, key })),
    { by: 'transfer', asset: 'USDT', amount: 1n, from },
    { by: 'native', amount: 1n, from },
    { by: 'event', remark: '0xff', amount: 1n, people: [from, from], from },
  ]
}

/** Code of a contract that logs what it is called with as data of a payment, and keeps the native currency that came with it. */
export const sayingAnything: Hex = concatHex(['0x366000600037', '0x7f', paymentTopic, '0x366000a100'])

const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const slot = (address: Hex): Hex => pad(address, { size: 32 })

/** Data of the event with a remark of any bytes. */
export function eventData(asset: Hex, amount: bigint, remark: Hex, people: readonly Hex[]): Hex {
  const length = (remark.length - 2) / 2
  const padded = pad(remark, { dir: 'right', size: Math.ceil(length / 32) * 32 })
  const text = length === 0 ? [word(0)] : [word(length), padded]
  const offsets = [128, 192, 256, 288 + Math.ceil(length / 32) * 32].map(word)
  return concatHex(
    [...offsets, word(1), slot(asset), word(1), word(amount), ...text, word(people.length)].concat(people.map(slot)),
  )
}
