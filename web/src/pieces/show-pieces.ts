/**
 * The development page `/#/_ui`: every piece that screens are made of, in both themes, in the language that `?lang=` names. Only
 * the `devnet` build imports this folder; no byte of it is in a production build.
 */
import { textsOf } from '../texts/texts-of.ts'
import { languages } from '@candela/protocol/language'
import { StrictMode, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { loadTexts, setLanguage } from '../i18n/language.ts'
import { Pieces } from './pieces.tsx'

export async function showPieces(root: HTMLElement, hash: string): Promise<void> {
  const named = new URLSearchParams(hash.split('?')[1]).get('lang')
  const wanted = languages.find((language) => language === named)
  await loadTexts(textsOf('amount'), textsOf('chart'))
  if (wanted !== undefined) await setLanguage(wanted)
  createRoot(root).render(createElement(StrictMode, null, createElement(Pieces)))
}
