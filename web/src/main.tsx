import { CHAIN_ID } from '@candela/protocol/chain/network'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { wireApi } from './api/call.ts'
import { forgetAccount, queryClient } from './api/use-read.ts'
import { chooseWallet, networkDialog } from './shell/dialogs.ts'
import { requiredNetwork } from './api/public-data.ts'
import { AppProvider } from './session/app-context.tsx'
import { endSession } from './session/end-session.ts'
import { createApp } from './shell/create-app.ts'
import { initialTexts } from './shell/initial-texts/initial-texts.ts'
import { Shell } from './shell/shell.tsx'
import { locale, startLanguage, storedLanguage } from './i18n/language.ts'
import { translate } from './i18n/use-translation.ts'
import { loadScreens, screens } from './screens/screens.tsx'
import { closeOverlays } from './ui/overlay/overlays.ts'
import { showToast } from './ui/overlay/toast.tsx'
import { onAccountChange, onChainChange, setChooser, walletStore } from './wallet/wallet.ts'
import './ui/style/tokens.css'
import './ui/style/base.css'
import './ui/style/pieces.css'
import './ui/overlay/sheet.css'
import './shell/shell.css'

const app = createApp()
const { router, session, signedOutReason } = app

const RELOAD_AFTER_ACCOUNT_CHANGE_MS = 800

wireApi({
  token: () => session.get().token,
  language: () => locale.get()?.language ?? storedLanguage(),
  sessionEnded() {
    signedOutReason.set('ended')
    session.clear()
  },
  notify: (message) => showToast('error', message),
  describe: (problem) => translate(`http.${problem}`),
})

router.onArrival((_place, refusedPath) => {
  window.scrollTo(0, 0)
  closeOverlays()
  if (refusedPath !== null) showToast('plain', translate('guard.signInFirst'))
})

/** Long enough for the screen in view to be loaded first, in milliseconds. */
const PRELOAD_DELAY_MS = 2_500
const preloadScreens = () => session.get().token !== '' && setTimeout(loadScreens, PRELOAD_DELAY_MS)

let account = session.get().address
session.subscribe(() => {
  const { address } = session.get()
  if (address === account) return
  account = address
  forgetAccount()
  preloadScreens()
})

// Signed out in another tab: this page must not go on showing the account.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'token' || newValue !== null || session.get().token === '') return
  signedOutReason.reread()
  session.clear()
})

// Every navigation begins at the top, also back and forward.
window.history.scrollRestoration = 'manual'

setChooser(chooseWallet)
walletStore.subscribe(() => session.update({ currentChain: walletStore.get().chainId }))

onAccountChange(() => {
  void endSession(session)
  session.clear()
  showToast('loading', translate('wallet.accountChanged'))
  setTimeout(() => window.location.reload(), RELOAD_AFTER_ACCOUNT_CHANGE_MS)
})

onChainChange((chainId) => {
  if (chainId === CHAIN_ID) return
  requiredNetwork().then(networkDialog.set, () => showToast('error', translate('wallet.wrongChain')))
})

async function start(): Promise<void> {
  if (import.meta.env.MODE === 'devnet') {
    const { startDemoWallet } = await import('./demo-wallet/demo-wallet.ts')
    startDemoWallet({ network: requiredNetwork })
  }
  await startLanguage(initialTexts)
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <AppProvider app={app}>
          <Shell screens={screens} />
        </AppProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
  preloadScreens()
  await app.signIn.resume()
}

void start()
