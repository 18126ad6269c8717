import { useStore } from '../lib/store.ts'
import { speech } from './language.ts'
import type { Speech } from './language.ts'
import type { Translate } from './translate.ts'

/** `main` renders only after the first texts have arrived, so there is always one to speak. */
export function useTranslation(): Speech {
  const current = useStore(speech)
  if (current === null) throw new Error('Rendered before the first language was loaded')
  return current
}

/** The same outside of components: toasts and flows. */
export const say: Translate = (key, ...rest) => speech.get()?.t(key, ...rest) ?? key
