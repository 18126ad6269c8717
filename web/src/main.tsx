import { textsOf } from './texts/texts-of.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { codes } from '@candela/protocol/codes/codes'
import { languageTag } from '@candela/protocol/language'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { wireApi } from './api/call.ts'
import { hasPending } from './command/has-pending.ts'
import { onClockFarOff } from './api/server-time.ts'
import { forgetAccount, queryClient } from './api/use-read.ts'
import { loadDialogs } from './shell/dialog-files.ts'
import { chooseWallet, networkDialog, walletPairing } from './shell/dialogs.ts'
import { requiredNetwork } from './api/public-data.ts'
import { formatDuration } from './lib/format.ts'
import { isPhone } from './lib/is-phone.ts'
import { AppProvider } from './session/app-context.tsx'
import { ourNetwork } from './session/our-network.ts'
import { endSession } from './session/end-session.ts'
import { followTabs } from './session/follow-tabs.ts'
import { followWallet } from './session/follow-wallet.ts'
import { reportBroken, reportNotLoaded } from './navigation/first-paint.ts'
import { createApp } from './shell/create-app.ts'
import { Shell } from './shell/shell.tsx'
import { tellUncaught } from './shell/tell-uncaught.ts'
import { remoteSettings } from './shell/wallet/remote-settings.ts'
import { untilIdle } from './lib/until-idle.ts'
import { locale, startLanguage, storedLanguage } from './i18n/language.ts'
import { translate } from './i18n/use-translation.ts'
import { loadScreens, screens } from './screens/screens.ts'
import { closeOverlays } from './ui/overlay/overlays.ts'
import { closeToast, showToast } from './ui/overlay/toast.tsx'
import * as wallet from './wallet/wallet.ts'
import './ui/style/tokens.css'
import './ui/style/base.css'
import './ui/style/forced-colors.css'
import './ui/style/large-text.css'
import './ui/style/pieces.css'
import './ui/overlay/sheet.css'
import './shell/shell.css'

/** The development page of all pieces, looked for before the router sends an unknown path home; null for the app itself. */
const piecesHash =
  import.meta.env.MODE === 'devnet' && window.location.hash.startsWith('#/_ui') ? window.location.hash : null

const app = createApp()
const { router, session, signedOutReason } = app

wireApi({
  token: () => session.get().token,
  language: () => locale.get()?.language ?? storedLanguage(),
  sessionEnded() {
    signedOutReason.set('ended')
    session.clear()
  },
  notify(message, code) {
    // The money is there, and nowhere else by now.
    const action = { label: translate('state.toExit'), run: () => (closeToast(), router.go('/exit')) }
    showToast('error', message, code === codes.exitMode ? { action, stays: true } : {})
  },
  describe: (problem) => translate(`http.${problem}`),
})

onClockFarOff((ahead_ms) => {
  const time = formatDuration(Math.abs(ahead_ms), languageTag[locale.get()?.language ?? storedLanguage()])
  showToast('plain', translate('state.clockOff', { time }), { stays: true })
})

tellUncaught(window, (detail) => {
  const action = { label: translate('state.reload'), run: () => window.location.reload() }
  showToast('error', translate('state.broken', { detail }), { action, stays: true })
})

router.onArrival((_place, refusedPath) => {
  window.scrollTo(0, 0)
  closeOverlays()
  if (refusedPath !== null) showToast('plain', translate('guard.signInFirst'))
})

/** Long enough for the screen in view to be loaded first, in milliseconds. */
const PRELOAD_DELAY_MS = 2_500

let account = session.get().address
session.subscribe(() => {
  const { address } = session.get()
  if (address === account) return
  account = address
  forgetAccount()
  if (session.get().token === '') return
  setTimeout(() => void loadScreens(), PRELOAD_DELAY_MS)
  router.goOn()
})

window.addEventListener('storage', ({ key }) => {
  if (key === null || key === 'pendingCommands') hasPending(app).refresh()
})

followTabs(window, { ...app, endSession: () => void endSession(session) })

// Every navigation begins at the top, also back and forward.
window.history.scrollRestoration = 'manual'

wallet.setChooser(chooseWallet)
wallet.setRemote({
  settings: remoteSettings,
  showPairing(pairing) {
    walletPairing.set(pairing)
    return () => walletPairing.set(null)
  },
  isPhone,
})
followWallet(document, window, {
  ...app,
  wallet,
  endSession: () => void endSession(session),
  tell: {
    accountChanged: () => showToast('loading', translate('wallet.accountChanged')),
    wrongChain: () => void ourNetwork().then(networkDialog.set, () => showToast('error', translate('http.connect'))),
    locked: () => showToast('plain', translate('wallet.locked')),
  },
  reload: () => window.location.reload(),
})

/**
 * Loads what people may need soon, once they can use what they see. The files of the first load are in the browser's own cache by then:
 * the service worker fetches none of them twice, and keeps the screens that are loaded after it.
 */
async function loadTheRest(): Promise<void> {
  await loadDialogs()
  if (import.meta.env.MODE === 'production') await followNewBuilds()
  if (session.get().token !== '') await loadScreens()
}

async function followNewBuilds(): Promise<void> {
  await untilIdle()
  const { followBuilds } = await import('./service-worker/follow-builds.ts')
  await followBuilds()
}

/** Without them there is nothing to show. */
async function loadFirstTexts(): Promise<void> {
  try {
    await startLanguage(textsOf('initial'))
  } catch (error) {
    reportNotLoaded(window)
    throw error
  }
}

async function start(): Promise<void> {
  if (import.meta.env.MODE === 'devnet') {
    if (piecesHash !== null) {
      await loadFirstTexts()
      const { showPieces } = await import('./pieces/show-pieces.ts')
      return showPieces(document.getElementById('root')!, piecesHash)
    }
    const { startDemoWallet } = await import('./demo-wallet/demo-wallet.ts')
    startDemoWallet({ network: requiredNetwork })
  }
  await loadFirstTexts()
  // React takes everything away when nothing has caught an error.
  const root = createRoot(document.getElementById('root')!, { onUncaughtError: (error) => reportBroken(window, error) })
  const page = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <AppProvider app={app}>
          <Shell screens={screens} />
        </AppProvider>
      </QueryClientProvider>
    </StrictMode>
  )
  // In pieces, between which the browser answers a tap: the words of home are painted already.
  startTransition(() => root.render(page))
  // A file that cannot be fetched now is fetched when it is needed.
  setTimeout(() => void loadTheRest().catch(() => undefined), PRELOAD_DELAY_MS)
  await app.signIn.resume()
}

void start()
