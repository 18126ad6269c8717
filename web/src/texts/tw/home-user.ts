/** Home after signing in. */
export const texts = {
  'home.level': '會員等級 {level}',
  'home.uid': 'UID {uid}',
  'home.toNext': '再 {units} {unit} 升為 {level}',
  'home.topLevel': '已是最高等級',
  'home.levelFrom': '等級由有效算力決定：10、100、500、1,000、5,000 起依序為 V1 到 V5，兌換手續費減免 5% 至 25%。',
  'home.balance': '帳戶餘額',
  'home.balanceNote': '依 30 分鐘均價折合 USDT',
  'home.balanceFrom':
    '您在本平台帳戶中各項資產的可用與凍結金額，依各自交易對的 30 分鐘時間加權均價折合。錢包裡的資產不計入。',
  'home.noPrice': '價格暫停，暫時無法折算',
  'home.held': '提領處理中 {amount}',
  'home.power': '有效算力',
  'home.powerFrom': '您已生效且尚未到期的算力總和，每一次變動都有對應的訂單與鏈上付款。',
  'home.order.pending': '有一筆訂單等待付款',
  'home.order.confirming': '付款確認中 {done}/{needed}',
  'home.assets': '資產與信用',
  'home.credit': '信用額度',
  'home.loan': '借款金額',
  'home.fund': '理財金額',
  'home.mortgage': '質押率總覽',
  'home.mortgageRate': '目前質押率',
  'home.safetyLine': '安全線',
  'home.clearingLine': '強制平倉線',
  'home.repayment': '下期還款',
  'home.repayAmount': '還款金額',
  'home.dueDate': '到期日',
  'home.everything': '全部功能',
  'home.creditFrom':
    '用目前的可用餘額質押，還能再借多少：每種資產取開放借款方案中最高的借款比例，並以借款方案額度與基金閒置資金為上限。',
  'home.loanFrom': '所有未結清借款的本金、利息與逾期費，算到今天。',
  'home.fundFrom': '您在理財基金的單位數，按目前每單位淨值換算。',
  'home.repayAmountFrom': '最近一期應還的金額，含手續費與逾期費。',
  'home.noLoan': '目前沒有借款，所以沒有質押率。',
  'home.noRepayment': '沒有需要還的款項。',
  'home.openLoan': '查看這筆借款',
  'home.nearestLoan': '查看最接近強制平倉線的一筆（共 {count} 筆）',
  'home.toRepay': '前往還款',
  'home.toProjects': '看看借款方案',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
