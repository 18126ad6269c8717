/**
 * Every kind of posting that changes an account of a member, with a name in a statement. A posting whose kind is in
 * neither list does not compile, nor does a kind without a name in each language.
 */
export const memberPostingKinds = [
  'deposit',
  'unmatched',
  'assigned',
  'taken-back',
  'transfer',
  'exchange',
  'income',
  'referral',
  'withdrawal-hold',
  'withdrawal-release',
  'withdrawal-reverted',
  'withdrawal',
  'fund-in',
  'fund-out',
  'loan',
  'repayment',
  'pledge',
  'pledge-return',
  'lever-open',
  'interest-correction',
  'lever-close',
] as const

/** Kinds that change the platform's own accounts only. */
export const platformPostingKinds = [
  'purchase',
  'revenue',
  'service-fee',
  'suspense',
  'desk-stock',
  'reconciliation',
  'interest',
  'late-charge',
  'interest-waiver',
  'liquidation',
  'fund-earnings',
  'deficit',
  'deficit-reserve',
  'deficit-fund',
  'fund-capital',
] as const

export type MemberPostingKind = (typeof memberPostingKinds)[number]
export type PostingKind = MemberPostingKind | (typeof platformPostingKinds)[number]
