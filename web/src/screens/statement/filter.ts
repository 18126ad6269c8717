import type { AssetCode } from '@candela/protocol/money/assets'
import type { CallInput } from '@candela/protocol/endpoints'
import type { MemberPostingKind } from '@candela/protocol/posting-kinds'
import { serverNow } from '../../api/server-time.ts'

/** The groups that people look for; together they hold every kind. */
export const groups = {
  in: ['deposit', 'unmatched', 'assigned', 'taken-back'],
  income: ['income', 'referral'],
  transfer: ['transfer'],
  exchange: ['exchange'],
  fund: ['fund-in', 'fund-out'],
  credit: ['loan', 'repayment', 'interest-correction', 'pledge', 'pledge-return', 'lever-open', 'lever-close'],
  out: ['withdrawal-hold', 'withdrawal-release', 'withdrawal-reverted', 'withdrawal'],
} as const satisfies Record<string, readonly MemberPostingKind[]>

export type Group = 'all' | keyof typeof groups
export const groupNames = ['all', ...(Object.keys(groups) as (keyof typeof groups)[])] as const

/** Days back, today included; null is everything. */
export const periods = [null, 7, 30, 90, 365] as const
export type Period = (typeof periods)[number]

export type Filter = { group: Group; asset: AssetCode | null; period: Period }

/** As the server takes it. Days begin at the reader's midnight. */
export function filterInput(
  { group, asset, period }: Filter,
  now = new Date(serverNow()),
): CallInput<'GET statement/csv'> {
  const since = new Date(now)
  since.setHours(0, 0, 0, 0)
  if (period !== null) since.setDate(since.getDate() - period + 1)
  return {
    ...(group !== 'all' && { kinds: groups[group].join(',') }),
    ...(asset !== null && { asset }),
    ...(period !== null && { since: since.toISOString() }),
  }
}
