import type { TextLoaders } from '../../i18n/language.ts'

/**
 * The texts of the first load, in one file for each language: more files would take more requests. Those of the command
 * sheet and the device names, which come later, are among them because they are shorter than the names of their files.
 */
export const initialTexts: TextLoaders = {
  zh: () => import('./zh.ts'),
  tw: () => import('./tw.ts'),
  en: () => import('./en.ts'),
}
