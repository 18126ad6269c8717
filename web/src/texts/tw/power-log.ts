export const texts = {
  'hash.byPlan': '{day}各方案的算力（UTC）',
  'hash.now': '目前算力',
  'hash.nowFrom': '最近一次變動之後的算力，也就是下面所有變動相加。',
  'hash.activated': '算力生效',
  'hash.expired': '算力到期',
  'hash.after': '變動後 {total}',
  'hash.payment': '付款交易',
  'hash.order': '訂單 {no}',
  'hash.none': '還沒有算力紀錄',
  'hash.noneText': '算力生效或到期時，每一次變動和變動後的總量都會記在這裡。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
