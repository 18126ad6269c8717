/** Loan projects and borrowing from them. */
export const texts = {
  'project.popular': '熱門專案',
  'project.none': '目前沒有開放的專案',
  'project.noneText': '新的借款專案開放後，會連同條款列在這裡。',
  'project.progress': '已借出 {borrowed}，總額 {total} USDT',
  'project.borrowedOf': '已借 {amount} USDT',
  'project.totalOf': '總額 {amount} USDT',
  'project.available': '可借金額',
  'project.availableFrom': '專案剩餘的額度與基金閒置資金之間，較小的一個。',
  'project.collateral': '質押資產',
  'project.interest': '累計利息',
  'project.interestFrom': '這個專案的所有借款至今計收的利息，分給理財基金的份額與風險準備金。',
  'project.all': '所有專案',
  'project.rate': '年利率',
  'project.rateFrom': '單利，以 365 天計，按日計收。借出當天計一天，之後每過一個 UTC 零點再計一天。',
  'project.terms': '完整條款',
  'project.closed': '這個專案已關閉',
  'project.closedText': '不再借出新的款項，已有的借款不受影響。',
  'project.amount': '借款金額',
  'project.amountHint': '最少 {amount} USDT，撥入您的可用餘額',
  'project.tooSmall': '最少要借 {amount} USDT',
  'project.days': '借款期限',
  'project.pledge': '質押數量',
  'project.pledgeHint': '輸入借款金額後，會算出最少要質押多少',
  'project.needed': '最少質押 {amount} {asset}，多質押一些，平倉價就更低',
  'project.short': '需要 {amount} {asset}，您的可用餘額不足',
  'project.next': '檢視借款內容',
  'project.cost': '到期總利息',
  'project.costFrom': '每天利息 × 天數。每天利息＝借款金額 × 年利率 ÷ 365。提前還款只計到還款那天。',
  'project.perDay': '每天利息',
  'project.perDayNote': '每天 {amount} USDT',
  'project.repayment': '到期應還',
  'project.repaymentFrom': '借款金額＋到期總利息，在到期日（UTC）當天結束前還清。隨時可以提前還，不收違約金。',
  'project.review': '確認借款',
  'project.sentence':
    '現在撥給您 {amount} USDT，{day} 前還清共 {repayment} USDT，其中利息 {interest} USDT；提前還清，利息只算到那天。',
  'project.youGet': '撥入餘額',
  'project.locked': '鎖定質押',
  'project.endOn': '{day} 前還清',
  'project.reviewNote':
    '還清後質押品全數退回。到期前七天會提醒您；價格跌到平倉價時，系統會賣出質押品還款，並從中收取還款額 {fee} 的費用。',
  'project.confirm': '確認借款',
  'project.done': '已借入 {amount} USDT',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
