/** What members are told. */
export const texts = {
  'notice.unread': '{count} 則未讀',
  'notice.allRead': '全部已讀',
  'notice.readAll': '全部標為已讀',
  'notice.new': '未讀',
  'notice.empty': '目前沒有通知',
  'notice.emptyText': '款項入帳、訂單生效、提領結果與新裝置登入，都會在這裡通知您。',
  'notice.deposit': '入金已入帳',
  'notice.depositText': '{amount} 已存入您的餘額。',
  'notice.unmatched': '付款已轉入餘額',
  'notice.unmatchedText': '這筆 {amount} 的付款沒有對應的訂單，已全數存入您的餘額。',
  'notice.transferReceived': '收到轉帳',
  'notice.transferReceivedText': 'UID {from} 轉給您 {amount}。',
  'notice.income': '算力產出已入帳',
  'notice.incomeText': '{day}（UTC）的產出為 {amount}。',
  'notice.referral': '推薦獎勵已入帳',
  'notice.referralText': '您邀請的好友完成購買，獎勵 {amount}。',
  'notice.withdrawalDone': '提領完成',
  'notice.withdrawalDoneText': '{amount} 已送達您的錢包。',
  'notice.withdrawalRejected': '提領未通過審核',
  'notice.withdrawalRejectedText': '{amount} 已退回您的餘額。',
  'notice.withdrawalFailed': '提領未成功',
  'notice.withdrawalFailedText': '{amount} 已退回您的餘額。{reason}',
  'notice.reason.recipient': '您的錢包地址無法接收這筆款項。',
  'notice.reason.reverted': '您的錢包在鏈上拒絕了這筆付款。',
  'notice.reason.feeKept': '您的錢包在鏈上拒絕了這筆付款，手續費 {fee} 不退還。',
  'notice.reason.other': '這筆款項無法支付。',
  'notice.orderActivated': '算力訂單已生效',
  'notice.orderActivatedText': '{units} 單位算力自 {from} 起計算產出，至 {to}（UTC）為止。',
  'notice.orderLate': '訂單付款逾時',
  'notice.orderLateText': '付款逾時且價格已變動，{amount} 已存入付款人的餘額。',
  'notice.orderMismatch': '付款金額不符',
  'notice.orderMismatchText': '付款與訂單金額不同，{amount} 已存入付款人的餘額。',
  'notice.powerExpired': '算力已到期',
  'notice.powerExpiredText': '{units} 單位算力的期限已結束。',
  'notice.newDevice': '新裝置登入',
  'notice.newDeviceText': '{device} 登入了您的帳戶。若不是您本人，請立即登出該裝置。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
