/** The ways on from the end of a command that moves money, and what is said of one whose answer was lost. */
export const texts = {
  'command.close': '完成',
  'command.edit': '返回修改',
  'command.moved': '條件已變動，請先確認新的條件',
  'command.asking': '正在取得最新條件…',
  'command.renew': '查看新的條件',
  'pending.title': '正在查詢結果',
  'pending.looking': '回應在途中遺失，此操作可能已經完成。正在查詢結果，不會重複執行。',
  'pending.underWay': '伺服器正在執行此操作。',
  'pending.unknown':
    '伺服器尚未收到這個請求，但它仍可能送達。可以再次送出（最多只執行一次），也可以放棄：放棄後就不會再執行。',
  'pending.lookAgain': '再次查詢',
  'pending.send': '再次送出',
  'pending.giveUp': '放棄',
  'pending.givenUp': '已放棄，沒有執行',
  'pending.done': '{what}：已完成',
  'pending.notice': '{what}：尚無回應，可能已完成，正在查詢',
  'pending.show': '檢視',
  'pending.fundIn': '轉入基金',
  'pending.fundOut': '轉出基金',
  'pending.borrow': '借款',
  'pending.repay': '還款',
  'pending.installment': '改為分期',
  'pending.addCollateral': '追加質押',
  'pending.releaseCollateral': '取回質押',
  'pending.open': '槓桿開倉',
  'pending.addMargin': '追加保證金',
  'pending.close': '平倉',
  'pending.takeBack': '取消提領',
  'pending.other': '操作',
} as const

type Texts = typeof texts
declare module '../../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
