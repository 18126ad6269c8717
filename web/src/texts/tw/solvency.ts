/** What is held and what is owed. */
export const texts = {
  'solvency.none': '還沒有對帳',
  'solvency.noneText': '服務每分鐘把帳本與鏈上比對一次，第一次完成後，這裡會列出各資產的持有與應付。',
  'solvency.ratio': '償付率',
  'solvency.lowest': '償付率（最低：{asset}）',
  'solvency.ratioFrom': '合約在鏈上持有的數量，除以應付給所有人的數量，逐項資產計算並無條件捨去。這裡顯示最低的一項。',
  'solvency.compared': '{age}對帳',
  'solvency.covered': '每項資產的持有量都足以支付全部應付款。',
  'solvency.short': '合約持有的少於應付總額，缺 {missing}。',
  'solvency.and': '、',
  'solvency.old': '最近一次對帳是{age}，太久以前，無法說明現在的情況。恢復對帳後會自動更新。',
  'solvency.nothingOwed': '沒有應付款',
  'solvency.held': '鏈上持有',
  'solvency.heldFrom': '在對帳的那個區塊，收款合約在鏈上的餘額。任何人都能向鏈查詢。',
  'solvency.owed': '應付總額',
  'solvency.owedFrom':
    '同一時刻帳本上應付的總額。借款人的負債先從他的 USDT 扣除，不足的再按 30 分鐘均價從抵押品扣除。平台自己的資金不算在內。',
  'solvency.owedMembers': '屬於會員',
  'solvency.owedUnassigned': '尚未入帳',
  'solvency.over': '多出',
  'solvency.overFrom': '持有減去應付：平台自己的庫存、準備金與收入，都在同一個合約裡。',
  'solvency.missing': '不足',
  'solvency.missingFrom':
    '應付減去持有。借出的 USDT 不在合約裡，由借款人的抵押品擔保；若不足大於借出的部分，就是真正的缺口。',
  'solvency.exact': '完整數字：{amount}。',
  'solvency.history': '最近七天',
  'solvency.asset': '資產',
  'solvency.noHistory': '再過一小時，這裡就會有圖。',
  'solvency.pickHour': '選擇時間',
  'solvency.axis': '虛線為 100%',
  'solvency.source': '對帳依據',
  'solvency.block': '區塊',
  'solvency.books': '帳本與鏈上',
  'solvency.agrees': '一致',
  'solvency.differs': '不一致',
  'solvency.booksFrom':
    '帳本記載合約應持有的數量，與合約實際持有的數量比對。連續不一致時，提領會自動暫停，直到查明原因。',
  'solvency.contract': '收款合約',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
