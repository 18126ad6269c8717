/** Incomes, and the records of computing power. */
export const texts = {
  'income.all': '全部收益',
  'income.output': '算力產出',
  'income.referral': '推薦獎勵',
  'income.filter': '篩選收益',
  'income.chart': '每日產出',
  'income.ofDays': '近 {days} 天產出',
  'income.ofDaysFrom': '已結束的日子（UTC）裡，每天入帳的算力產出相加，未經四捨五入。在圖上滑動可以看單日金額。',
  'income.ofDay': '{day}（UTC）',
  'income.notClosed': '當天尚未結算',
  'income.none': '還沒有收益',
  'income.noneText': '購買算力後，隔天（UTC）起計算產出；當天有真實入帳，才會分配收益。',
  'income.noReferral': '還沒有推薦獎勵',
  'income.noReferralText': '您邀請的人完成購買時，平台從自己的銷售收入撥出 5% 給您。',
  'income.referralFrom': '您直接邀請的人完成購買，平台從自己的銷售收入撥出付款金額的 5% 給您，只有一層。',
  'income.at': '入帳時間',
  'income.purchase': '購買付款',
  'income.agrees': '已在您的裝置上重新計算，分毫不差',
  'income.differs': '重新計算的結果不一致',
  'income.differsAmount': '帳上是 {booked}，重新計算是 {recomputed}。請截圖並聯絡營運方。',
  'income.differsDay': '當天公布的數字彼此對不起來。請截圖並聯絡營運方。',
  'income.formula': '（當日收入＋前日結轉）×（1－服務費率）× 您的算力 ÷ 全網算力，捨去最小單位以下的部分。',
  'income.day': '產出日（UTC）',
  'income.revenue': '當日收入',
  'income.deposit': '收入的鏈上交易',
  'income.lateDeposit': '{day}的收入（晚到）',
  'income.carriedIn': '前日結轉',
  'income.totalUnits': '全部有效算力',
  'income.part': '服務費 {rate}，分得 {share}',
  'income.result': '計算結果',
  'income.wholeDay': '全天結算',
  'income.paid': '分給會員',
  'income.accounts': '{count} 個帳戶',
  'income.fee': '平台服務費',
  'income.carriedOut': '結轉次日',
  'income.closedAt': '結算時間',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
