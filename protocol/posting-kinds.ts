import type { Language } from './language.ts'

/**
 * Every kind of posting that changes an account of a member, with its name in a statement. A posting whose kind is in
 * neither list does not compile, nor does a kind without a name in each language.
 */
export const memberPostingKinds = {
  deposit: { zh: '充值', tw: '存入', en: 'Deposit' },
  unmatched: { zh: '付款退入余额', tw: '付款轉入餘額', en: 'Payment kept as balance' },
  assigned: { zh: '人工核对入账', tw: '人工核對入帳', en: 'Payment assigned to you' },
  'taken-back': {
    zh: '链上付款已消失，扣回',
    tw: '鏈上付款已消失，扣回',
    en: 'Payment that left the chain, taken back',
  },
  transfer: { zh: '转账', tw: '轉帳', en: 'Transfer' },
  exchange: { zh: '兑换', tw: '兌換', en: 'Exchange' },
  income: { zh: '算力产出', tw: '算力產出', en: 'Output income' },
  referral: { zh: '推荐奖励', tw: '推薦獎勵', en: 'Referral reward' },
  'withdrawal-hold': { zh: '提现冻结', tw: '提領預留', en: 'Set aside for a withdrawal' },
  'withdrawal-release': { zh: '提现退回', tw: '提領退回', en: 'Withdrawal returned' },
  'withdrawal-reverted': { zh: '提现未付，扣手续费', tw: '提領未付，扣手續費', en: 'Withdrawal not paid, fee kept' },
  withdrawal: { zh: '提现到账', tw: '提領完成', en: 'Withdrawal paid out' },
  'fund-in': { zh: '转入理财', tw: '轉入基金', en: 'Moved into the fund' },
  'fund-out': { zh: '理财转出', tw: '基金轉出', en: 'Taken out of the fund' },
  loan: { zh: '借款到账', tw: '借款撥入', en: 'Loan paid out' },
  repayment: { zh: '还款', tw: '還款', en: 'Loan repayment' },
  pledge: { zh: '质押锁定', tw: '質押鎖定', en: 'Collateral locked' },
  'pledge-return': { zh: '质押退回', tw: '質押退回', en: 'Collateral returned' },
  'lever-open': { zh: '杠杆开仓保证金', tw: '槓桿開倉保證金', en: 'Margin of a leveraged loan' },
  'interest-correction': { zh: '利息更正', tw: '利息更正', en: 'Interest corrected' },
  'lever-close': { zh: '杠杆平仓所得', tw: '槓桿平倉所得', en: 'Leveraged position sold' },
} as const satisfies Record<string, Record<Language, string>>

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

export type MemberPostingKind = keyof typeof memberPostingKinds
export type PostingKind = MemberPostingKind | (typeof platformPostingKinds)[number]

export const memberPostingKindNames = Object.keys(memberPostingKinds) as [MemberPostingKind, ...MemberPostingKind[]]
