import { call } from '../api/call.ts'
import { readOnce } from '../api/use-call.ts'
import { say } from '../i18n/use-translation.ts'
import { showToast } from '../ui/overlay/toast.tsx'
import * as wallet from '../wallet/wallet.ts'
import { deviceDialog, invitationSheet, networkDialog } from './dialogs.ts'
import { createFarewell } from '../session/signed-out-reason.ts'
import { guard } from '../navigation/guard.ts'
import { HOME } from '../navigation/routes.ts'
import { browserHistory, createRouter } from '../navigation/router.ts'
import { createSession } from '../session/session.ts'
import { openShelf } from '../lib/storage.ts'
import { createSignIn } from '../session/sign-in.ts'
import type { SignInProblem } from '../session/sign-in.ts'

/** The one session, router and sign-in of this page. Screens import them from here. */

export const shelf = openShelf()

export const session = createSession(shelf, () => router.replace(HOME))

export const router = createRouter(browserHistory, (target) => guard(target, () => session.get().token))

/** The network that wallets must be on, as the server announces it. */
export const requiredNetwork = async () => (await readOnce('GET home/public', {})).network

export const farewell = createFarewell(shelf)

/**
 * Ends the session at the server, so that its token is worth nothing to anyone. Never fails: where the server cannot be
 * told, the session ends by itself. It is told with the token of now, also when that is forgotten right after the call.
 */
export async function endSession(): Promise<void> {
  if (session.get().token === '') return
  await call('POST auth/logout', {}, { transportInPlace: true, handled: [401] }).catch(() => undefined)
}

export const signIn = createSignIn({
  wallet,
  session,
  farewell,
  network: requiredNetwork,
  isRegister: (address) => call('POST auth/isRegister', { address }),
  loginMessage: (address) => call('GET auth/loginMessage', { address }),
  login: (input, handled) => call('POST auth/login', input, { handled }),
  endSession: () => void endSession(),
  ask: {
    network: networkDialog.set,
    invitation: (error) => invitationSheet.set({ open: true, error }),
    devices: (message, code) => deviceDialog.set({ message, code }),
  },
  tell: (problem) => showToast('error', say(problemTexts[problem])),
})

const problemTexts = {
  'not-installed': 'wallet.notInstalled',
  refused: 'wallet.refused',
  'wrong-chain': 'wallet.wrongChain',
  cancelled: 'wallet.refused',
  reverted: 'wallet.failed',
  failed: 'wallet.failed',
  'no-answer': 'http.connect',
} as const satisfies Record<SignInProblem, string>
