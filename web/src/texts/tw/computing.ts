/** Buying computing power. */
export const texts = {
  'buy.lead': '選擇方案與數量，付款後從次日（UTC）起產出。',
  'buy.plans': '方案',
  'buy.noPlans': '目前沒有開放中的方案',
  'buy.noPlansText': '新方案上架後會出現在這裡，您現有的算力不受影響。',
  'buy.left': '剩餘 {left} {unit}',
  'buy.soldOut': '已售完',
  'buy.fee': '服務費 {rate}',
  'buy.feeLabel': '產出服務費',
  'buy.feeFrom': '平台從這個方案的每日產出中保留的比例，其餘依算力分給持有者。',
  'buy.fromFrom': '付款確認後的下一個 UTC 日。從這天起計算產出，到期日為止。',
  'buy.from': '起算日',
  'buy.quantity': '數量',
  'buy.range': '每筆 {min} 到 {max} {unit}',
  'buy.cost': '金額',
  'buy.price': 'JU 價格',
  'buy.youPay': '應付',
  'buy.quoteLeft': '報價 {time} 後更新',
  'buy.quoteRenewing': '正在更新報價',
  'buy.pay': '付款',
  'buy.paused': '價格暫停中',
  'buy.costFrom': '單價乘以數量，沒有其他費用。鏈上手續費由錢包另外收取。',
  'buy.payableUsdtFrom': '以 USDT 付款時，應付數量就是訂單金額，不經過價格換算。',
  'buy.payableFrom': '金額除以 JU 的均價，不足的最後一位無條件進位。報價期間內以此數量為準。',
  'buy.priceFrom': '取自鏈上交易對的時間加權均價；均價與即時價差距超過 10%，或超過 5 分鐘沒有新的觀測時，報價會暫停。',
  'buy.average': '均價（{minutes} 分鐘）',
  'buy.spot': '即時價',
  'buy.pair': '交易對',
  'buy.block': '區塊',
  'buy.observed': '觀測時間',
  'buy.unitPrice': '單價',
  'buy.illustration': '依昨日收入試算',
  'buy.perDay': '每日 HASH',
  'buy.worse': '較差',
  'buy.yesterday': '昨日實際',
  'buy.better': '較佳',
  'buy.illustrationText': '以{day}（UTC）的實際收入推算您選的數量。這是對照，不是承諾：收入每天不同，也可能為零。',
  'buy.illustrationFrom':
    '昨日的實際產出乘以您選的數量。較差與較佳兩種情況由伺服器依同一筆收入推算，讓您看到可能的落差。',
  'buy.noIllustration': '昨日沒有收入，因此沒有可對照的產出。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
