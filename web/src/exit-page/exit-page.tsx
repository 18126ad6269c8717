// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import '../browser/missing-for-exit.ts'
import { type Language, languageName, languages } from '@candela/protocol/language'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { chooseLanguage, startLanguage, type TextLoaders } from '../i18n/language.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { ExitFlow } from '../proof/exit/exit-flow.tsx'
import { Segmented } from '../ui/control/segmented.tsx'
import { openStandalonePort } from './standalone-port.ts'
import '../ui/style/tokens.css'
import '../ui/style/base.css'
import '../ui/style/forced-colors.css'
import '../ui/style/pieces.css'
import './exit-page.css'

/**
 * The way out as a page of its own: one file without a server, which anybody can host. It knows the person's proof, a wallet
 * and an RPC, and nothing else.
 */

/** In the file itself: there is nothing to fetch them from. */
const files = import.meta.glob<{ texts: Record<string, string> }>('../texts/*/{proof,keep}.ts', { eager: true })
const textsIn = (language: Language) =>
  Object.assign({}, ...['proof', 'keep'].map((area) => files[`../texts/${language}/${area}.ts`]?.texts))
const texts = Object.fromEntries(
  languages.map((language) => [language, () => Promise.resolve({ texts: textsIn(language) })]),
) as TextLoaders

const port = openStandalonePort(window)

function ExitPage() {
  const { language, t } = useTranslation()
  return (
    <main className="exit-page">
      <Segmented
        look="chips"
        label="Language"
        options={languages}
        value={language}
        textOf={(each) => languageName[each]}
        onChange={(each) => void chooseLanguage(each)}
      />
      <h1>{t('exit.title')}</h1>
      <ExitFlow port={port} />
    </main>
  )
}

void startLanguage(texts).then(() =>
  createRoot(document.getElementById('root')!, {
    onUncaughtError: (error) => window.dispatchEvent(new CustomEvent('broken', { detail: error })),
  }).render(
    <StrictMode>
      <ExitPage />
    </StrictMode>,
  ),
)
