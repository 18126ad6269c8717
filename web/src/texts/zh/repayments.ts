import type { texts as tw } from '../tw/repayments.ts'

export const texts: Record<keyof typeof tw, string> = {
  'repayments.of': '借款编号',
  'repayments.noLoan': '请从借款订单进入',
  'repayments.toLoans': '查看借款记录',
  'repayments.none': '还没有明细',
  'repayments.left': '余',
  'repayments.part': '科目',
  'repayments.after': '变动后',
  'repayments.day': '计息日（UTC）',
  'repayments.booked': '记账时间',
  'repayments.valueDate': '起息时间（所在区块）',
  'repayments.transaction': '链上付款',
  'repayments.debtText': '正数是欠款增加，负数是还款。同一科目的全部明细加起来，就是现在欠的金额。',
  'repayments.collateralText': '正数是锁定，负数是退回或卖出。全部明细加起来，就是现在的质押数量。',
}
