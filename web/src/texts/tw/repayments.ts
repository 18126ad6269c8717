/** Every change of a loan. */
export const texts = {
  'repayments.of': '借款編號',
  'repayments.noLoan': '請從借款訂單進入',
  'repayments.toLoans': '查看借款',
  'repayments.none': '還沒有明細',
  'repayments.left': '餘',
  'repayments.part': '科目',
  'repayments.part.principal': '本金',
  'repayments.part.interest': '利息',
  'repayments.part.charges': '逾期費',
  'repayments.part.collateral': '質押品',
  'repayments.after': '變動後',
  'repayments.day': '計息日（UTC）',
  'repayments.at': '時間',
  'repayments.transaction': '鏈上付款',
  'repayments.debtText': '正數是欠款增加，負數是還款。同一科目的所有明細相加，就是目前欠的金額。',
  'repayments.collateralText': '正數是鎖定，負數是退回或賣出。所有明細相加，就是目前的質押數量。',
  'repayments.kind.loan': '借入',
  'repayments.kind.interest': '計息',
  'repayments.kind.lateCharge': '逾期費',
  'repayments.kind.repayment': '還款',
  'repayments.kind.pledge': '鎖定質押',
  'repayments.kind.pledgeReturn': '退回質押',
  'repayments.kind.liquidation': '強制平倉',
  'repayments.kind.leverOpen': '槓桿買入',
  'repayments.kind.leverClose': '平倉賣出',
  'repayments.kind.deficit': '核銷',
  'repayments.kind.interestCorrection': '利息更正（依區塊時間）',
  'repayments.kind.interestWaiver': '免收利息',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
