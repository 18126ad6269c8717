import { useStore } from '../lib/store.ts'
import { locale } from './language.ts'
import type { Locale } from './language.ts'
import type { Translate } from './translate.ts'

/** `main` renders only after the first texts have arrived, so there is always one to setLanguage. */
export function useTranslation(): Locale {
  const current = useStore(locale)
  if (current === null) throw new Error('Rendered before the first language was loaded')
  return current
}

/** The same outside of components: toasts and flows. */
export const translate: Translate = (key, ...rest) => locale.get()?.t(key, ...rest) ?? key
