/** Putting money from the wallet into the account. */
export const texts = {
  'deposit.lead': '從錢包存入帳戶餘額。只有您的錢包能送出這筆交易，金額以鏈上實際到帳為準。',
  'deposit.asset': '資產',
  'deposit.amount': '存入金額',
  'deposit.inWallet': '錢包餘額',
  'deposit.gasNote': '請保留少量 JU 支付鏈上手續費。',
  'deposit.way': '存入方式',
  'deposit.way.numbered': '帶編號存入',
  'deposit.way.numberedText': '交易裡寫入存入編號，每一步都能對上紀錄。',
  'deposit.way.plain': '直接轉帳',
  'deposit.way.plainText': '一筆不帶資料的 JU 轉帳，由哪個地址轉出就記給哪個地址，用任何錢包應用都能送。',
  'deposit.contract': '合約地址',
  'deposit.onlyFrom': '請只從您自己的地址 {address} 轉出。從交易所或其他地址轉入的款項無法認出是您的。',
  'deposit.pay': '存入',
  'deposit.records': '存入紀錄',
  'deposit.empty': '還沒有存入紀錄',
  'deposit.emptyText': '存入的每一步都會列在這裡：送出、確認、入帳。',
  'deposit.state.announced': '待付款',
  'deposit.state.confirming': '確認中',
  'deposit.state.credited': '已入帳',
  'deposit.state.lapsed': '未付款',
  'deposit.announcedText': '還沒有在鏈上看到這筆付款。沒有付款也不會有任何影響。',
  'deposit.payNow': '立即付款',
  'deposit.lapsedText': '一天內沒有收到付款。若之後才付款，仍會自動入帳。',
  'deposit.confirmingText': '交易已上鏈，達到確認數後即可使用，可以先離開此頁。',
  'deposit.unannounced': '直接轉入合約',
  'deposit.amountFrom': '鏈上交易實際轉入合約的數量，一個單位都不會差。',
  'deposit.no': '存入編號',
  'deposit.seen': '上鏈時間',
  'deposit.created': '建立時間',
  'deposit.block': '區塊',
  'deposit.payer': '付款地址',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
