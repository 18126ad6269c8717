/** Sending to another account. */
export const texts = {
  'transfer.recipient': '收款人',
  'transfer.recipientHint': '錢包地址或 UID',
  'transfer.paste': '貼上',
  'transfer.recipientMissing': '請輸入收款人的地址或 UID',
  'transfer.notARecipient': '這不是錢包地址，也不是 UID',
  'transfer.toSelf': '這是您自己的帳戶，請填寫其他人的',
  'transfer.asset': '資產',
  'transfer.amount': '金額',
  'transfer.amountHint': '免手續費，每筆至少等值 1 USDT。',
  'transfer.tooLittle': '每筆至少 {minimum} {asset}（等值 1 USDT）',
  'transfer.pricePaused': '{asset} 價格暫停中，恢復後才能轉出',
  'transfer.next': '下一步',
  'transfer.review': '確認轉帳',
  'transfer.to': '收款人',
  'transfer.from': '付款人',
  'transfer.amountFrom': '您輸入的金額，也是錢包會顯示、您會簽署的金額，一個單位都不會差。',
  'transfer.fee': '手續費',
  'transfer.valid': '簽署期限',
  'transfer.validFor': '5 分鐘',
  'transfer.signNote': '錢包會逐項顯示這些內容。只有您簽署後才會轉出，轉出後無法取消。',
  'transfer.sign': '簽署並轉出',
  'transfer.signing': '請在錢包中核對並簽署',
  'transfer.sending': '已簽署，正在入帳',
  'transfer.refused': '您在錢包中拒絕了簽署，資產沒有任何變動。',
  'transfer.notSigned': '錢包沒有完成簽署，資產沒有任何變動。請再試一次。',
  'transfer.doneTitle': '轉帳完成',
  'transfer.at': '時間',
  'transfer.no': '轉帳編號',
  'transfer.records': '轉帳紀錄',
  'transfer.empty': '還沒有轉帳紀錄',
  'transfer.emptyText': '您轉出與收到的每一筆都會列在這裡。',
  'transfer.sentTo': '轉出',
  'transfer.receivedFrom': '收到',
  'transfer.recordFrom': '付款人的錢包對這些內容簽署後記入帳本，雙方各有一筆，數字相同、方向相反。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
