import { CHAIN_ID } from '@candela/protocol/chain/network'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { wireApi } from './api/call.ts'
import { forgetAccount, queryClient } from './api/use-call.ts'
import { chooseWallet, networkDialog } from './app/dialogs.ts'
import { endSession, farewell, requiredNetwork, router, session, signIn } from './app/parts.ts'
import { Shell } from './app/shell.tsx'
import { speak, speech, storedLanguage } from './i18n/language.ts'
import { say } from './i18n/use-translation.ts'
import { loadScreens, screens } from './screens/screens.tsx'
import { closeOverlays } from './ui/overlays.ts'
import { showToast } from './ui/toast.tsx'
import { onAccountChange, onChainChange, setChooser, walletStore } from './wallet/wallet.ts'
import './ui/tokens.css'
import './ui/base.css'
import './ui/pieces.css'
import './ui/sheet.css'
import './app/shell.css'

const RELOAD_AFTER_ACCOUNT_CHANGE_MS = 800

wireApi({
  token: () => session.get().token,
  language: () => speech.get()?.language ?? storedLanguage(),
  sessionEnded() {
    farewell.set('ended')
    session.clear()
  },
  notify: (message) => showToast('error', message),
  describe: (problem) => say(`http.${problem}`),
})

router.onArrival((_place, turnedAwayFrom) => {
  window.scrollTo(0, 0)
  closeOverlays()
  if (turnedAwayFrom !== null) showToast('plain', say('guard.signInFirst'))
})

/** Long enough for the screen in view to be there first, in milliseconds. */
const QUIET_AFTER_MS = 2_500
const loadScreensSoon = () => session.get().token !== '' && setTimeout(loadScreens, QUIET_AFTER_MS)

let account = session.get().address
session.subscribe(() => {
  const { address } = session.get()
  if (address === account) return
  account = address
  forgetAccount()
  loadScreensSoon()
})

// Signed out in another tab: this one must not go on showing the account.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'token' || newValue !== null || session.get().token === '') return
  farewell.reread()
  session.clear()
})

// Every navigation begins at the top, also back and forward.
window.history.scrollRestoration = 'manual'

setChooser(chooseWallet)
walletStore.subscribe(() => session.update({ currentChain: walletStore.get().chainId }))

onAccountChange(() => {
  void endSession()
  session.clear()
  showToast('loading', say('wallet.accountChanged'))
  setTimeout(() => window.location.reload(), RELOAD_AFTER_ACCOUNT_CHANGE_MS)
})

onChainChange((chainId) => {
  if (chainId === CHAIN_ID) return
  requiredNetwork().then(networkDialog.set, () => showToast('error', say('wallet.wrongChain')))
})

async function start(): Promise<void> {
  if (import.meta.env.MODE === 'devnet') {
    const { startDemoWallet } = await import('./demo-wallet/demo-wallet.ts')
    startDemoWallet({ network: requiredNetwork })
  }
  await speak(storedLanguage())
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Shell screens={screens} />
      </QueryClientProvider>
    </StrictMode>,
  )
  loadScreensSoon()
  await signIn.resume()
}

void start()
