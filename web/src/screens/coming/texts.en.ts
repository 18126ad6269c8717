import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'coming.badge': 'In preparation',
  'coming.promise': 'Until it opens, you will see no made-up figures here.',
  'coming.lever':
    'Before you open a position you see the full repayment, the liquidation price and how far it may fall.',
}
