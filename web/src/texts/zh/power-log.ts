import type { texts as tw } from '../tw/power-log.ts'

export const texts: Record<keyof typeof tw, string> = {
  'hash.byPlan': '{day}各方案算力（UTC）',
  'hash.now': '当前算力',
  'hash.nowFrom': '最近一次变动之后的算力，也就是下面所有变动的总和。',
  'hash.activated': '算力生效',
  'hash.expired': '算力到期',
  'hash.after': '变动后 {total}',
  'hash.payment': '付款交易',
  'hash.order': '订单 {no}',
  'hash.none': '还没有算力记录',
  'hash.noneText': '算力生效或到期时，每一次变动和变动后的总量都会记在这里。',
}
