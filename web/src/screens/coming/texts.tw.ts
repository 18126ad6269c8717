/** Screens that are not open yet: what each will be for, and where to go meanwhile. */
export const texts = {
  'coming.badge': '籌備中',
  'coming.promise': '開放之前，這裡不會出現任何模擬數字。',
  'coming.lever': '開倉之前，您會先看到還款總額、平倉價，以及價格還能跌多少。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
