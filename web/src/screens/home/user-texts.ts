import type { TextLoaders } from '../../i18n/language.ts'

export const userTexts: TextLoaders = {
  zh: () => import('./user-texts.zh.ts'),
  tw: () => import('./user-texts.tw.ts'),
  en: () => import('./user-texts.en.ts'),
}
