import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'credit.recomputed': '本机重算一致',
  'credit.recomputedOther': '本机重算不一致',
  'credit.agrees': '已在你的设备上重新计算，一分不差',
  'credit.differs': '重新计算的结果对不上，请截图并联系运营方',
}
