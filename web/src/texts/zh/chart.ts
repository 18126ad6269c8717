import type { texts as tw } from '../tw/chart.ts'

export const texts: Record<keyof typeof tw, string> = {
  'chart.pickDay': '选择日期',
  'chart.table': '每日数字',
  'chart.range': '图表范围',
  'chart.days': '{days} 日',
  'chart.year': '1 年',
}
