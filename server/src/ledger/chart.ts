import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { codes, type ErrorCode } from '@candela/protocol/codes/codes'
import { assert, must } from '../kernel/assert.ts'

/**
 * A ledger account: owner × 100000 + chart number × 100 + asset number. It is computed, never looked up; in psql the
 * digits read as owner, chart, asset (1000110002 is member 10001's available USDT). The owner is 0 for the platform, a
 * member's id, or 2^41 plus a loan's id.
 */
export type AccountId = bigint

/** The units that accounts are kept in: the assets of the product, and shares of the money fund, which exist in the ledger only. */
export type LedgerAsset = AssetCode | 'SHARE'

type Row = {
  /** 100-499 floored, 500-699 tracked, 700-999 rolled up: see migrations/0001_ledger.sql. */
  number: number
  owner: 'member' | 'loan' | 'platform'
  /** The error for the caller when a posting would take the account below zero. Only floored accounts have it. */
  overdrawn?: ErrorCode
}

/**
 * The chart of accounts. A balance is what its owner is due: custody is the platform's due to the world, minus what the
 * gateway contract holds; every other account is a share of that. All accounts of an asset sum to zero.
 */
export const chart = {
  /** Money that a member can spend. */
  memberAvailable: { number: 100, owner: 'member', overdrawn: codes.notEnoughBalance },
  /** Set aside for payouts under way. */
  memberHeld: { number: 110, owner: 'member', overdrawn: codes.notEnoughBalance },
  /** Shares of the money fund. */
  memberShares: { number: 120, owner: 'member', overdrawn: codes.notEnoughBalance },
  /** The collateral of a loan. */
  loanCollateral: { number: 130, owner: 'loan', overdrawn: codes.loanState },
  /** Money received that could not be given to a member yet. */
  suspense: { number: 200, owner: 'platform', overdrawn: codes.ourFault },
  /** Stock that the exchange desk has to sell. */
  deskInventory: { number: 210, owner: 'platform', overdrawn: codes.deskShort },
  /** Output that the operator posted and no day's close has shared yet: no income without it. */
  revenuePool: { number: 220, owner: 'platform', overdrawn: codes.ourFault },
  /** Money of the fund that is not lent. */
  fundIdle: { number: 230, owner: 'platform', overdrawn: codes.fundShort },
  /** Put aside from interest and liquidation fees; pays deficits first. */
  reserve: { number: 240, owner: 'platform', overdrawn: codes.ourFault },
  /** Minus what a loan still owes, in three parts. */
  loanPrincipal: { number: 500, owner: 'loan' },
  loanInterest: { number: 510, owner: 'loan' },
  /** Late charges. */
  loanCharges: { number: 520, owner: 'loan' },
  /** Minus what the gateway contract holds: debited when money comes in, credited when it is paid out. */
  custody: { number: 700, owner: 'platform' },
  /** Paid by members for computing power. */
  salesRevenue: { number: 710, owner: 'platform' },
  /** Exchange, handling and service fees taken. */
  fees: { number: 720, owner: 'platform' },
  /** Referral rewards given, out of sales revenue: negative by what was given. */
  referralExpense: { number: 730, owner: 'platform' },
  /** The operator's own money put in (desk stock, reserves at the start). */
  equity: { number: 740, owner: 'platform' },
  /** Debt of loans to the fund. With `fundIdle` the assets of the fund. */
  fundClaims: { number: 750, owner: 'platform' },
  /** Interest that loans owe to the fund and that no daily close has counted in the share price yet. */
  fundPending: { number: 760, owner: 'platform' },
  /** Debt of loans to the reserve. */
  reserveClaims: { number: 770, owner: 'platform' },
  /** Debts that nothing was left to pay for; back at zero when the reserve and the fund have taken them. */
  deficit: { number: 780, owner: 'platform' },
  /** Minus all shares of the fund. */
  fundShares: { number: 790, owner: 'platform' },
} as const satisfies Record<string, Row>

export type AccountName = keyof typeof chart
export type MemberAccountName = NamesOf<'member'>
export type PlatformAccountName = NamesOf<'platform'>
export type LoanAccountName = NamesOf<'loan'>
/** Every account of the platform itself. */
export const platformAccountNames = (Object.keys(chart) as AccountName[]).filter(
  (name): name is PlatformAccountName => chart[name].owner === 'platform',
)
type NamesOf<O> = { [N in AccountName]: (typeof chart)[N]['owner'] extends O ? N : never }[AccountName]

// Numbers are part of every stored account id: add at the end, never reorder.
const assetNumbers: Record<LedgerAsset, bigint> = { JU: 1n, USDT: 2n, HASH: 3n, SHARE: 4n }
const ledgerAssets = [...assetCodes, 'SHARE'] as const
const ownerFactor = 100_000n
const firstLoanOwner = 2n ** 41n

/** @param memberId `member.id`, positive. */
export function memberAccount(memberId: bigint, name: MemberAccountName, asset: LedgerAsset): AccountId {
  assert(memberId > 0n && memberId < 2n ** 40n, `not a member id: ${memberId}`)
  return memberId * ownerFactor + localNumber(name, asset)
}

/** The same for many members at once, in SQL: member id × factor + offset. */
export function memberAccountNumbers(name: MemberAccountName, asset: LedgerAsset): { factor: bigint; offset: bigint } {
  return { factor: ownerFactor, offset: localNumber(name, asset) }
}

/** @param loanId `loan.id`, positive. */
export function loanAccount(loanId: bigint, name: LoanAccountName, asset: AssetCode): AccountId {
  assert(loanId > 0n && loanId < firstLoanOwner, `not a loan id: ${loanId}`)
  return (firstLoanOwner + loanId) * ownerFactor + localNumber(name, asset)
}

/** The same for many loans at once, in SQL: loan id × factor + offset. */
export function loanAccountNumbers(name: LoanAccountName, asset: AssetCode): { factor: bigint; offset: bigint } {
  return { factor: ownerFactor, offset: firstLoanOwner * ownerFactor + localNumber(name, asset) }
}

export function platformAccount(name: PlatformAccountName, asset: LedgerAsset): AccountId {
  return localNumber(name, asset)
}

export type AccountParts = {
  memberId: bigint | undefined
  loanId: bigint | undefined
  name: AccountName
  asset: LedgerAsset
}

/** Takes an account id apart. */
export function accountParts(account: AccountId): AccountParts {
  const owner = account / ownerFactor
  const number = chartNumber(account)
  const name = must(names.get(number), `account ${account}: the chart has no number ${number}`)
  const asset = must(assetOf(account), `account ${account}: no such asset`)
  const isLoan = owner > firstLoanOwner
  return {
    memberId: owner === 0n || isLoan ? undefined : owner,
    loanId: isLoan ? owner - firstLoanOwner : undefined,
    name,
    asset,
  }
}

/** The asset of an account that is kept in one of the product's. @throws AssertionFailed for an account of shares */
export function accountAsset(account: AccountId): AssetCode {
  const asset = assetOf(account)
  return must(asset === 'SHARE' ? undefined : asset, `account ${account} is kept in no asset of the product`)
}

/** The code for "not enough" on this account. */
export function overdrawnCode(account: AccountId): ErrorCode {
  const row: Row = chart[accountParts(account).name]
  return row.overdrawn ?? codes.ourFault
}

export function isFloored(account: AccountId): boolean {
  return chartNumber(account) < 500
}

export function isRolledUp(account: AccountId): boolean {
  return chartNumber(account) >= 700
}

export function assetOf(account: AccountId): LedgerAsset | undefined {
  return ledgerAssets.find((asset) => assetNumbers[asset] === account % 100n)
}

const names = new Map((Object.keys(chart) as AccountName[]).map((name) => [chart[name].number as number, name]))

function localNumber(name: AccountName, asset: LedgerAsset): bigint {
  return BigInt(chart[name].number) * 100n + assetNumbers[asset]
}

function chartNumber(account: AccountId): number {
  return Number((account / 100n) % 1000n)
}
