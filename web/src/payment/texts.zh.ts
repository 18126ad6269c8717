import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'pay.approve': '请在钱包里确认授权',
  'pay.approveOnChain': '授权已发出，正在等链上确认',
  'pay.approveStillChecking': '授权结果还在查询，确认后请再点一次付款',
  'pay.approvalFailed': '授权没有完成，请重试',
  'pay.cancelled': '你在钱包里取消了这笔交易，钱没有转出',
  'pay.onItsWay': '交易已从钱包发出，正在等它出现在链上。',
  'pay.unreserved': '这笔订单不预留算力。如果别人先付款买完，你的款项会全额存入账户余额。',
  'pay.confirmations': '链上确认 {done}/{needed}',
  'pay.transaction': '付款交易',
  'pay.asset': '付款资产',
  'allow.title': '授权方式',
  'allow.exact': '只授权这一笔',
  'allow.exactText': '付完额度就用完了，下次付款再授权。',
  'allow.max': '一次授权最大额度',
  'allow.maxText': '以后用 {asset} 付款不用再授权，随时可以撤销。',
  'allow.enough': '现有授权额度够用，这次不用再授权。',
  'allow.standing': '合约目前可动用的额度',
  'allow.standingFrom':
    '直接读自代币合约的 allowance。收款合约只能在你自己发出的交易里动用这个额度，运营方无法替你动用；撤销会把它设为 0。',
  'allow.unlimited': '无上限',
  'allow.revoke': '撤销',

  'pay.confirming': '请在钱包里确认支付',
  'pay.onChain': '支付已发出，等待链上确认',
  'pay.otherAccount': '钱包当前账户和登录的地址不一致',
  'pay.failed': '支付失败',
  'pay.stillChecking': '还在查询支付结果，订单会自动更新',
}
