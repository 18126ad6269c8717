import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { DeviceStorage } from '../lib/storage.ts'
import type { WalletModule } from '../wallet/types.ts'
import type { SessionStore } from './session.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import type { SignedOutReasonStore } from './signed-out-reason.ts'

export const RELOAD_AFTER_ACCOUNT_CHANGE_MS = 800

type Deps = {
  wallet: Pick<WalletModule, 'walletStore' | 'onAccountChange' | 'onChainChange' | 'onLock' | 'checkWallet'>
  storage: DeviceStorage
  session: Pick<SessionStore, 'get' | 'clear' | 'update'>
  signIn: Pick<SignIn, 'resume' | 'state'>
  signedOutReason: Pick<SignedOutReasonStore, 'set'>
  /** Tells the server that the session of this page is over. */
  endSession(): void
  tell: { accountChanged(): void; wrongChain(): void; locked(): void }
  reload(): void
}

/** The part of a page that this listens to. */
type Page = Pick<Document, 'addEventListener' | 'visibilityState'>

/** Follows what happens in the wallet itself: another account, another chain, a lock. */
export function followWallet(page: Page, window: Pick<Window, 'addEventListener'>, deps: Deps): void {
  const { wallet, session, signIn, signedOutReason, tell } = deps
  wallet.walletStore.subscribe(() => session.update({ currentChain: wallet.walletStore.get().chainId }))

  wallet.onAccountChange((address) => {
    const { token, address: signedInAs } = session.get()
    // Back on the account that is signed in.
    if (token !== '' && address.toLowerCase() === signedInAs.toLowerCase()) return
    if (token !== '') {
      deps.endSession()
      signedOutReason.set('otherAccount')
    }
    session.clear()
    tell.accountChanged()
    setTimeout(() => deps.reload(), RELOAD_AFTER_ACCOUNT_CHANGE_MS)
  })

  wallet.onChainChange((chainId) => {
    if (chainId !== CHAIN_ID) tell.wrongChain()
  })

  wallet.onLock(() => {
    if (session.get().token !== '') tell.locked()
  })

  // Not every wallet tells of changes, and people come back from its window.
  const look = (): void => {
    if (page.visibilityState !== 'visible' || signIn.state.get().step !== 'idle') return
    // A wallet that does not answer now is asked again before anything is done with it.
    if (wallet.walletStore.get().status === 'connected') void wallet.checkWallet().catch(() => undefined)
    else if (session.get().token !== '') void signIn.resume()
  }
  window.addEventListener('focus', look)
  page.addEventListener('visibilitychange', look)
}
