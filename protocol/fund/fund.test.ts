import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WHOLE_UNIT } from '../units.ts'
import { fundRate, subscriptionOf, type FundState, priceFell, sharePrice, sharesToRedeem, worthOf } from './fund.ts'
import { anyAmount } from '../lending/testing.ts'

/** A fund with pending interest, through whose doors members walk as the server lets them. */
type Fund = FundState & { pending: bigint }

function enter(fund: Fund, amount: bigint): { fund: Fund; shares: bigint } {
  const { shares, equalisation } = subscriptionOf(amount, fund, fund.pending)
  return {
    fund: {
      assets: fund.assets + amount - equalisation,
      shares: fund.shares + shares,
      pending: fund.pending + equalisation,
    },
    shares,
  }
}

const leave = (fund: Fund, amount: bigint, shares: bigint): Fund => ({
  assets: fund.assets - amount,
  shares: fund.shares - shares,
  pending: fund.pending,
})

const close = (fund: Fund): Fund => ({ assets: fund.assets + fund.pending, shares: fund.shares, pending: 0n })

const wholeUsdt = fc.bigInt({ min: 1n, max: 1_000_000n }).map((whole) => whole * WHOLE_UNIT)
const gift = fc.oneof(anyAmount, wholeUsdt)

/** Funds as they come about: in, out, interest, closes, deficits. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('in' as const), amount: wholeUsdt }),
  fc.record({ kind: fc.constant('out' as const), amount: wholeUsdt }),
  fc.record({ kind: fc.constant('interest' as const), amount: gift }),
  fc.record({ kind: fc.constant('close' as const), amount: fc.constant(0n) }),
  fc.record({ kind: fc.constant('deficit' as const), amount: gift }),
)
type Step = { kind: 'in' | 'out' | 'interest' | 'close' | 'deficit'; amount: bigint }

const EMPTY: Fund = { assets: 0n, shares: 0n, pending: 0n }
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

function after(fund: Fund, { kind, amount }: Step): Fund {
  if (kind === 'in') return enter(fund, amount).fund
  if (kind === 'interest') return { ...fund, pending: fund.pending + amount }
  if (kind === 'close') return close(fund)
  if (kind === 'deficit') return { ...fund, assets: fund.assets - smaller(amount, fund.assets) }
  const out = smaller(amount, worthOf(fund.shares, fund))
  return out === 0n ? fund : leave(fund, out, smaller(sharesToRedeem(out, fund), fund.shares))
}

const anyFund = fc.array(step, { maxLength: 20 }).map((steps) => steps.reduce(after, EMPTY))

test('the first share costs one USDT, for the first member and any amount', () => {
  expect(sharePrice(EMPTY)).toBe(WHOLE_UNIT)
  fc.assert(
    fc.property(anyAmount, (amount) => {
      const { fund, shares } = enter(EMPTY, amount)
      expect([shares, fund.pending, sharePrice(fund), worthOf(shares, fund)]).toEqual([amount, 0n, WHOLE_UNIT, amount])
    }),
  )
})

test('the price never falls, but by a deficit', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let fund = EMPTY
      for (const each of steps) {
        const next = after(fund, each)
        if (each.kind !== 'deficit') expect(priceFell(fund, next)).toBe(false)
        fund = next
      }
    }),
  )
  expect(priceFell({ assets: 10n ** 18n, shares: 10n ** 18n }, { assets: 10n ** 18n - 1n, shares: 10n ** 18n })).toBe(
    true,
  )
})

test('shares are never worth more than what the fund has, also after a deficit', () => {
  fc.assert(
    fc.property(anyFund, fc.array(fc.nat(100), { minLength: 1, maxLength: 8 }), (fund, cuts) => {
      expect(worthOf(fund.shares, fund) <= fund.assets).toBe(true)
      // However the shares are divided among members.
      const all = BigInt(cuts.reduce((sum, cut) => sum + cut, 1))
      const parts = cuts.map((cut) => worthOf((fund.shares * BigInt(cut)) / all, fund))
      expect(parts.reduce((sum, part) => sum + part, 0n) <= fund.assets).toBe(true)
    }),
  )
  const alone = { assets: 50n * WHOLE_UNIT, shares: 100n * WHOLE_UNIT }
  expect(worthOf(alone.shares, alone)).toBe(alone.assets)
})

describe('moving in and out', () => {
  test('never gains, whether a day is closed meanwhile or not', () => {
    fc.assert(
      fc.property(anyFund, wholeUsdt, fc.boolean(), (fund, amount, closes) => {
        const entered = enter(fund, amount)
        const later = closes ? close(entered.fund) : entered.fund
        // Interest that nobody has shares for is for the member who comes in first.
        const most = fund.shares === 0n ? amount + fund.pending : amount
        expect(worthOf(entered.shares, later) <= most).toBe(true)
      }),
    )
  })

  test('nothing is lost by it: the money is the fund’s or pending, and what is asked for is covered by shares', () => {
    fc.assert(
      fc.property(anyFund, wholeUsdt, fc.bigInt({ min: 1n, max: 100n }), (fund, amount, part) => {
        const entered = enter(fund, amount)
        expect(entered.fund.assets + entered.fund.pending).toBe(fund.assets + fund.pending + amount)
        expect(entered.fund.pending >= fund.pending).toBe(true)
        const worth = worthOf(entered.shares, entered.fund)
        const out = (worth * part) / 100n
        fc.pre(out > 0n)
        const shares = sharesToRedeem(out, entered.fund)
        expect(shares > 0n && shares <= entered.shares).toBe(true)
        expect(worthOf(shares, entered.fund) >= out).toBe(true)
      }),
    )
  })

  test('those who stay lose nothing when others leave', () => {
    fc.assert(
      fc.property(anyFund, fc.bigInt({ min: 1n, max: 99n }), (fund, percent) => {
        const [mine, theirs] = [(fund.shares * percent) / 100n, fund.shares - (fund.shares * percent) / 100n]
        const out = worthOf(theirs, fund)
        fc.pre(out > 0n && mine > 0n)
        const next = leave(fund, out, theirs)
        expect(worthOf(mine, next) >= worthOf(mine, fund)).toBe(true)
      }),
    )
  })
})

/** The attacker holds shares, gives, and a victim comes in. Shares may be as few as one base unit. */
function attack(held: bigint, given: bigint, paid: bigint) {
  const before: Fund = { assets: held + given, shares: held, pending: 0n }
  const entered = enter(before, paid)
  const later = close(entered.fund)
  return { victimLoss: paid - worthOf(entered.shares, later), attackerLoss: held + given - worthOf(held, later) }
}

describe('a gift', () => {
  test('costs the giver a hundred million times what a victim loses, however few shares the giver holds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_000_000n }), gift, wholeUsdt, (held, given, paid) => {
        const { victimLoss, attackerLoss } = attack(held, given, paid)
        expect(victimLoss >= 0n && victimLoss <= 3n + given / 10n ** 9n).toBe(true)
        expect(attackerLoss >= (victimLoss - 3n) * 10n ** 8n).toBe(true)
      }),
      {
        examples: [
          [1n, 296n * WHOLE_UNIT, 100n * WHOLE_UNIT],
          [1n, 2_000n * WHOLE_UNIT, 1_000n * WHOLE_UNIT],
        ],
      },
    )
  })

  test('of interest that was pending when the last member left takes nothing from who comes next', () => {
    // 450 USDT of interest were pending; the close counts them in a fund without shares.
    const fund = close({ assets: 0n, shares: 0n, pending: 450n * WHOLE_UNIT })
    const { fund: next, shares } = enter(fund, 100n * WHOLE_UNIT)
    expect(100n * WHOLE_UNIT - worthOf(shares, next)).toBeLessThan(WHOLE_UNIT / 1_000_000n)
  })

  test('of a usual size takes a few base units at most in a fund that members use', () => {
    const used = fc.bigInt({ min: WHOLE_UNIT, max: 10n ** 6n * WHOLE_UNIT })
    fc.assert(
      fc.property(used, fc.bigInt({ min: 0n, max: 10n }), wholeUsdt, (held, times, paid) => {
        const { victimLoss, attackerLoss } = attack(held, held * times, paid)
        expect(victimLoss <= 3n + times).toBe(true)
        expect(attackerLoss >= -3n).toBe(true)
      }),
    )
  })
})

test('interest of the running day is for those who were there, also if others come in for its last minute', () => {
  fc.assert(
    fc.property(wholeUsdt, gift, wholeUsdt, (stayed, pending, paid) => {
      const early = enter(EMPTY, stayed)
      const alone = worthOf(early.shares, close({ ...early.fund, pending }))
      const late = enter({ ...early.fund, pending }, paid)
      const closed = close(late.fund)
      expect(worthOf(late.shares, closed) <= paid).toBe(true)
      expect(worthOf(early.shares, closed) >= alone).toBe(true)
    }),
  )
})

test('a gain is annualised, simple and rounded towards zero; a loss is what it is', () => {
  expect(fundRate(WHOLE_UNIT, WHOLE_UNIT + WHOLE_UNIT / 1_000n, 7)).toBe(52_142n)
  // 7.3 % lost in a week.
  expect(fundRate(WHOLE_UNIT, (WHOLE_UNIT * 927n) / 1_000n, 7)).toBe(-73_000n)
  expect(fundRate(3n, 2n, 7)).toBe(-333_333n)
  expect(fundRate(WHOLE_UNIT, WHOLE_UNIT, 7)).toBe(0n)
  expect(() => fundRate(0n, 1n, 7)).toThrow(RangeError)
  expect(() => fundRate(1n, 1n, 0)).toThrow(RangeError)
})

test('below 1 USDT the price is what a share is worth, to the unit', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, (one, other) => {
      const state = { assets: smaller(one, other), shares: one < other ? other : one }
      expect(sharePrice(state)).toBe(worthOf(WHOLE_UNIT, state))
    }),
  )
  const lost = { assets: 275n * WHOLE_UNIT, shares: 1_000n * WHOLE_UNIT }
  expect(sharePrice(lost)).toBe((WHOLE_UNIT * 275n) / 1_000n)
})
