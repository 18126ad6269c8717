import type { TextLoaders } from '../i18n/language.ts'

export const loanTexts: TextLoaders = {
  zh: () => import('./texts.zh.ts'),
  tw: () => import('./texts.tw.ts'),
  en: () => import('./texts.en.ts'),
}
