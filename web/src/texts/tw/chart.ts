/** Of pictures of figures over time. */
export const texts = {
  'chart.pickDay': '選擇日期',
  'chart.table': '逐日數字',
  'chart.range': '圖表範圍',
  'chart.days': '{days} 天',
  'chart.year': '一年',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
