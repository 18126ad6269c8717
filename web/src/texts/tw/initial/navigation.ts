/** Names of the routes, and the ways between screens. */
export const texts = {
  'coming.go': '前往{where}',
  'home.buy': '購買算力',
  'route.home': '首頁',
  'route.computing': '購買算力',
  'route.order': '算力訂單',
  'route.invitation': '邀請好友',
  'route.mine': '我的資產',
  'route.list': '排行榜',
  'route.transfer': '轉帳',
  'route.exchange': '兌換',
  'route.exchangeList': '兌換紀錄',
  'route.hashList': '算力紀錄',
  'route.deposit': '存入',
  'route.withdrawal': '提領',
  'route.incomeList': '收益紀錄',
  'route.statement': '帳務明細',
  'route.repayments': '還款明細',
  'route.notices': '通知',
  'route.devices': '登入裝置',
  'route.solvency': '償付證明',
  'route.exit': '自行領回',
  'route.lever': '槓桿',
  'route.lending': '借貸',
  'route.finance': '理財',
  'route.project': '借款方案',
  'nav.back': '返回上一頁',
  'guard.signInFirst': '請先連接錢包並登入',
} as const

type Texts = typeof texts
declare module '../../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
