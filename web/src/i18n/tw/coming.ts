/** Screens that are not open yet: what each will be for, and where to go meanwhile. */
export const coming = {
  'coming.badge': '籌備中',
  'coming.promise': '開放之前，這裡不會出現任何模擬數字。',
  'coming.mine': '每一種資產的可用與凍結金額、來源與去向，會在這裡逐筆列清楚。',
  'coming.list': '個人與團隊的算力業績排名會在這裡公布。排名僅供參考，不發放任何獎勵。',
  'coming.exchange': 'JU、USDT 與 HASH 之間的兌換：匯率、手續費與實際可得，送出前全部看得到。',
  'coming.exchangeList': '您每一次兌換的匯率、手續費與結果會保存在這裡。',
  'coming.withdrawal': '提領只會匯到您自己的錢包地址，從審核到上鏈，每一步都看得到。',
  'coming.lever': '開倉之前，您會先看到還款總額、平倉價，以及價格還能跌多少。',
  'coming.lending': '以資產質押借出 USDT，可隨時全額還清，也可改為每月分期。',
  'coming.finance': '存入 USDT，由借款人支付的利息產生收益。轉出上限就是當下的閒置資金。',
  'coming.project': '正在募集的借款專案：總額、已借金額、年利率與條款一次看清。',
  'coming.go': '前往{where}',
} as const
