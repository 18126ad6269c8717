import type { texts as tw } from '../tw/power-log.ts'

export const texts: Record<keyof typeof tw, string> = {
  'hash.byPlan': 'Power by plan on {day} (UTC)',
  'hash.now': 'Power now',
  'hash.nowFrom': 'Your power after the latest change: all changes below added up.',
  'hash.activated': 'Power started',
  'hash.expired': 'Power ended',
  'hash.after': '{total} after it',
  'hash.payment': 'Payment',
  'hash.order': 'Order {no}',
  'hash.none': 'No power records yet',
  'hash.noneText': 'Each time your power starts or ends, the change and the total after it are kept here.',
}
