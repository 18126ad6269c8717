import { useStore } from '../lib/store.ts'
import { locale, type Locale } from './language.ts'
import type { Translate } from './translate.ts'

/** `main` renders only after the initial texts have arrived, so there is always a language. */
export function useTranslation(): Locale {
  const current = useStore(locale)
  if (current === null) throw new Error('Rendered before the first language was loaded')
  return current
}

/** For what is no component: toasts and flows. */
export const translate: Translate = (key, ...rest) => locale.get()?.t(key, ...rest) ?? key
