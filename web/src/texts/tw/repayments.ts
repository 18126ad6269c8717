/** Every change of a loan. */
export const texts = {
  'repayments.of': '借款編號',
  'repayments.noLoan': '請從借款訂單進入',
  'repayments.toLoans': '查看借款',
  'repayments.none': '還沒有明細',
  'repayments.left': '餘',
  'repayments.part': '科目',
  'repayments.after': '變動後',
  'repayments.day': '計息日（UTC）',
  'repayments.booked': '入帳時間',
  'repayments.valueDate': '起息時間（所在區塊）',
  'repayments.transaction': '鏈上付款',
  'repayments.debtText': '正數是欠款增加，負數是還款。同一科目的所有明細相加，就是目前欠的金額。',
  'repayments.collateralText': '正數是鎖定，負數是退回或賣出。所有明細相加，就是目前的質押數量。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
