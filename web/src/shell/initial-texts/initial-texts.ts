import type { TextLoaders } from '../../i18n/language.ts'

/** The texts of the first load, in one file for each language: more files would take more requests. */
export const initialTexts: TextLoaders = {
  zh: () => import('./zh.ts'),
  tw: () => import('./tw.ts'),
  en: () => import('./en.ts'),
}
