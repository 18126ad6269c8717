/** All that is one's own, and what can be done with it. */
export const texts = {
  'mine.noTotal': '價格恢復後顯示',
  'mine.available': '可用',
  'mine.held': '提領處理中',
  'mine.heldFrom': '正在提領、還沒付出的金額。付出後扣除；若沒有付出，會全數退回可用餘額。',
  'mine.worth': '約 {worth} USDT',
  'mine.balanceFrom': '您帳戶裡每一筆進出的總和，可在「帳務明細」逐筆核對。',
  'mine.average': '均價（{minutes} 分鐘）',
  'mine.spot': '即時價',
  'mine.observed': '讀取時間',
  'mine.actions': '操作',
  'mine.records': '紀錄',
  'mine.shares': '各資產的價值比例',
  'mine.assets': '資產',
  'mine.uid': '交易所 UID',
  'mine.uidNone': '尚未填寫',
  'mine.uidText': '您填寫的交易所 UID。未經驗證，只用來顯示，不會付款到這裡。',
  'mine.uidWrong': '請輸入 1 到 18 位數字',
  'mine.uidSave': '儲存',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
