import type { texts as tw } from '../tw/chart.ts'

export const texts: Record<keyof typeof tw, string> = {
  'chart.pickDay': 'Choose a day',
  'chart.table': 'Day by day',
  'chart.range': 'Days shown',
  'chart.days': '{days} days',
  'chart.year': '1 year',
}
