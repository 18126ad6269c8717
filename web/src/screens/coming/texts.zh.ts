import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'coming.badge': '筹备中',
  'coming.promise': '开放之前，这里不会出现任何模拟数字。',
  'coming.lever': '开仓之前，先看清还款总额、平仓价，以及价格还能跌多少。',
}
