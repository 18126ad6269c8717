import { call } from '../api/call.ts'
import { requiredNetwork } from '../api/public-data.ts'
import { translate } from '../i18n/use-translation.ts'
import { openStorage } from '../lib/storage.ts'
import { guard } from '../navigation/guard.ts'
import { browserHistory, createRouter } from '../navigation/router.ts'
import { HOME } from '../navigation/routes.ts'
import type { App } from '../session/app-context.tsx'
import { endSession } from '../session/end-session.ts'
import { createSession } from '../session/session.ts'
import { createSignIn, type SignInProblem } from '../session/sign-in.ts'
import { createSignedOutReason } from '../session/signed-out-reason.ts'
import { showToast } from '../ui/overlay/toast.tsx'
import * as wallet from '../wallet/wallet.ts'
import { deviceDialog, invitationSheet, networkDialog } from './dialogs.ts'

/** The one session, router and sign-in of this page. */
export function createApp(): App {
  const storage = openStorage()
  const session = createSession(storage, () => router.replace(HOME))
  const router = createRouter(browserHistory, (target) => guard(target, () => session.get().token))
  const signedOutReason = createSignedOutReason(storage)
  const signIn = createSignIn({
    wallet,
    session,
    signedOutReason,
    network: requiredNetwork,
    isRegister: (address) => call('POST auth/isRegister', { address }),
    loginMessage: (address) => call('GET auth/loginMessage', { address }),
    login: (input, handled) => call('POST auth/login', input, { handled }),
    endSession: () => void endSession(session),
    ask: {
      network: networkDialog.set,
      invitation: (error) => invitationSheet.set({ open: true, error }),
      devices: (message, code) => deviceDialog.set({ message, code }),
    },
    showProblem: (problem) => showToast('error', translate(problemTexts[problem])),
  })
  return { storage, router, session, signIn, signedOutReason, showNetworkDialog: networkDialog.set }
}

const problemTexts = {
  'not-installed': 'wallet.notInstalled',
  refused: 'wallet.refused',
  'wrong-chain': 'wallet.wrongChain',
  cancelled: 'wallet.refused',
  reverted: 'wallet.failed',
  failed: 'wallet.failed',
  'no-answer': 'http.connect',
} as const satisfies Record<SignInProblem, string>
