/** Everything that moved on an account. */
export const texts = {
  'statement.kinds': '篩選類型',
  'statement.group.all': '全部',
  'statement.group.in': '入金',
  'statement.group.out': '提領',
  'statement.group.transfer': '轉帳',
  'statement.group.exchange': '兌換',
  'statement.group.income': '收益',
  'statement.asset': '資產',
  'statement.everyAsset': '所有資產',
  'statement.period': '期間',
  'statement.ever': '所有期間',
  'statement.lastDays': '最近 {days} 天',
  'statement.csv': '下載 CSV',
  'statement.csvDone': '明細已下載，共 {lines} 筆',
  'statement.csvFailed': '明細沒有下載完成，請再試一次',
  'statement.empty': '還沒有任何變動',
  'statement.emptyText': '入金、收益、轉帳、兌換與提領，每一筆都會依時間列在這裡。',
  'statement.emptyFilter': '這個條件下沒有紀錄',
  'statement.held': '預留款項',
  'statement.available': '可用餘額',
  'statement.account': '帳戶',
  'statement.balance': '變動後餘額',
  'statement.balanceShort': '餘額 {balance}',
  'statement.time': '時間',
  'statement.counterparty': '對方',
  'statement.transaction': '鏈上交易',
  'statement.lineText': '帳本中的一筆紀錄。同一資產的所有紀錄加總，恰好等於目前的餘額。',
  'statement.ref.order': '訂單編號',
  'statement.ref.deposit': '入金編號',
  'statement.ref.withdrawal': '提領編號',
  'statement.ref.transfer': '轉帳編號',
  'statement.ref.exchange': '兌換編號',
  'statement.ref.day': '產出日期',
  'statement.open': '查看',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
