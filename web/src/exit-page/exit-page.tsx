// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import '../browser/missing-for-exit.ts'
import { type Language, languages } from '@candela/protocol/language'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { chooseLanguage, startLanguage, type TextLoaders } from '../i18n/language.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { ExitFlow } from '../proof/exit/exit-flow.tsx'
import { texts as en } from '../proof/texts.en.ts'
import { texts as keepEn } from '../ui/keep/texts.en.ts'
import { texts as keepTw } from '../ui/keep/texts.tw.ts'
import { texts as keepZh } from '../ui/keep/texts.zh.ts'
import { texts as tw } from '../proof/texts.tw.ts'
import { texts as zh } from '../proof/texts.zh.ts'
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

const names: Record<Language, string> = { zh: '简体中文', tw: '繁體中文', en: 'English' }

/** In the file itself: there is nothing to fetch them from. */
const texts: TextLoaders = {
  zh: () => Promise.resolve({ texts: { ...zh, ...keepZh } }),
  tw: () => Promise.resolve({ texts: { ...tw, ...keepTw } }),
  en: () => Promise.resolve({ texts: { ...en, ...keepEn } }),
}

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
        textOf={(each) => names[each]}
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
