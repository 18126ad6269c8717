/** What the screens of loans and of the fund have in common. */
export const texts = {
  'credit.recomputed': '本機重算相同',
  'credit.recomputedOther': '本機重算不同',
  'credit.agrees': '已在您的裝置上重新計算，分毫不差',
  'credit.differs': '重新計算的結果不一致，請截圖並聯絡營運方',
} as const

type Texts = typeof texts
declare module '../i18n/translate.ts' {
  interface Messages extends Texts {}
}
