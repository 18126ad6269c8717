import { call } from '../api/call.ts'
import { FILE } from '../api/file-link.ts'
import { loadTexts } from '../i18n/language.ts'
import { translate } from '../i18n/use-translation.ts'
import { loadFile } from '../lib/load-file.ts'
import { openStorage } from '../lib/storage.ts'
import { guard } from '../navigation/guard.ts'
import { browserHistory, createRouter, parseHash, type Router } from '../navigation/router.ts'
import { HOME } from '../navigation/routes.ts'
import type { App } from '../session/app-context.tsx'
import { endSession } from '../session/end-session.ts'
import { ourNetwork } from '../session/our-network.ts'
import { createInvitationCode } from '../session/invitation-code.ts'
import { createSession } from '../session/session.ts'
import { createSignIn, type SignIn } from '../session/sign-in/sign-in.ts'
import { createSignedOutReason } from '../session/signed-out-reason.ts'
import { closeToast, showToast } from '../ui/overlay/toast.tsx'
import * as wallet from '../wallet/wallet.ts'
import type * as messages from './wallet/messages.ts'
import { deviceDialog, fileSheet, invitationSheet, networkDialog, openInWallet, walletPairing } from './dialogs.ts'

/** The one session, router and sign-in of this page. */
export function createApp(): App {
  const storage = openStorage()
  const session = createSession(storage, () => router.replace(HOME))
  const invitationCode = createInvitationCode(storage)
  const takeInvitation = () => invitationCode.arrived(codeOfLink())
  takeInvitation()
  // Before the router listens, because the guard takes the query out of the address.
  browserHistory.onChange(takeInvitation)
  const router = createRouter(browserHistory, (target) => guard(target, () => session.get().token))
  router.onArrival(() => takeFileLink(router))
  takeFileLink(router)
  const signedOutReason = createSignedOutReason(storage)
  const signIn = createSignIn({
    wallet,
    session,
    signedOutReason,
    origin: window.location.origin,
    network: ourNetwork,
    isRegister: (address) => call('POST auth/isRegister', { address }),
    loginMessage: (address) => call('GET auth/loginMessage', { address }),
    async login(input, handled) {
      const answer = await call('POST auth/login', input, { handled })
      // Else a reload would take it from the address again.
      if (invitationCode.used(input.code ?? '')) removeCodeFrom(router)
      return answer
    },
    endSession: () => void endSession(session),
    ask: {
      network: networkDialog.set,
      invitation: (error) => invitationSheet.set({ error }),
      devices: (message, code) => deviceDialog.set({ message, code }),
    },
    showProblem(problem, said) {
      if (problem === 'not-installed') openInWallet.set(true)
      void say(({ showProblem }) => showProblem(problem, said))
    },
  })
  tellOfSlowWallet(signIn)
  return { storage, router, session, signIn, signedOutReason, invitationCode, showNetworkDialog: networkDialog.set }
}

/** From `#/index?code=…`, or from `/?code=…`, as a link is shortened or retyped. */
const codeOfLink = () =>
  parseHash(browserHistory.hash()).query['code'] ?? new URLSearchParams(window.location.search).get('code')

function removeCodeFrom(router: Router): void {
  if (window.location.search !== '')
    window.history.replaceState(window.history.state, '', `${window.location.pathname}${window.location.hash}`)
  const { path, query } = router.place.get()
  if (query['code'] !== undefined) router.replace(path)
}

/** The address does not keep the token: it may be seen, and it is kept by the browser. */
function takeFileLink(router: Router): void {
  const { path, query } = router.place.get()
  const { [FILE]: token, ...others } = query
  if (token === undefined) return
  fileSheet.set({ token })
  router.replace(path, others)
}

type Messages = typeof messages

/** The messages about a wallet come when they are needed, with their texts. */
async function say(what: (messages: Messages) => void): Promise<void> {
  try {
    const messages = await loadFile(() => import('./wallet/messages.ts'))
    await loadTexts(messages.texts)
    what(messages)
  } catch {
    showToast('error', translate('http.connect'))
  }
}

/** Wherever on the page the sign-in was tapped for, there is a way out of waiting. */
function tellOfSlowWallet(signIn: SignIn): void {
  let told = false
  // While a code waits to be scanned it is the person who takes long.
  const isSlow = () => signIn.state.get().slow && walletPairing.get() === null
  const look = () => {
    if (isSlow() === told) return
    told = isSlow()
    if (told) void say(({ showSlow }) => isSlow() && showSlow(signIn.cancel))
    else closeToast()
  }
  signIn.state.subscribe(look)
  walletPairing.subscribe(look)
}
