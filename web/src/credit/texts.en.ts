import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'credit.recomputed': 'Recomputed: same',
  'credit.recomputedOther': 'Recomputed: different',
  'credit.agrees': 'Recomputed on your device: agrees to the last unit',
  'credit.differs': 'Recomputed, and it does not agree. Keep a picture and tell the operator',
}
