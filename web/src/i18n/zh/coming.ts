import type { coming as tw } from '../tw/coming.ts'

export const coming: Record<keyof typeof tw, string> = {
  'coming.badge': '筹备中',
  'coming.promise': '开放之前，这里不会出现任何模拟数字。',
  'coming.mine': '每种资产有多少可用、多少冻结，从哪来、到哪去，都会在这里一笔一笔列清楚。',
  'coming.list': '个人和团队的算力业绩排名会公布在这里。排名只作展示，不发任何奖励。',
  'coming.exchange': 'JU、USDT、HASH 互相兑换：汇率、手续费和到手数量，提交之前全都看得到。',
  'coming.exchangeList': '你每次兑换的汇率、手续费和结果都会存在这里。',
  'coming.withdrawal': '提现只会打到你自己的钱包地址，从审核到上链，每一步都能看到。',
  'coming.lever': '开仓之前，先看清还款总额、平仓价，以及价格还能跌多少。',
  'coming.lending': '质押资产借出 USDT，随时可以一次还清，也可以改成按月分期。',
  'coming.finance': '存入 USDT，收益来自借款人付的利息。能转出多少，就看当下有多少闲置资金。',
  'coming.project': '正在募集的借款项目：总额、已借金额、年利率和条款，一目了然。',
  'coming.go': '去{where}',
}
