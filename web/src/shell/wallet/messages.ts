import { textsOf } from '../../texts/texts-of.ts'
import type { PlainKey } from '../../i18n/translate.ts'
import { translate } from '../../i18n/use-translation.ts'
import type { SignInProblem } from '../../session/sign-in/sign-in.ts'
import { showToast } from '../../ui/overlay/toast.tsx'

/** To be loaded before anything is said. */
export const texts = textsOf('wallet')

const problemTexts = {
  'not-installed': 'wallet.notInstalled',
  'not-connected': 'wallet.refusedConnect',
  refused: 'wallet.refused',
  busy: 'wallet.busy',
  silent: 'wallet.silent',
  'no-relay': 'wallet.noRelay',
  'no-account': 'wallet.noAccount',
  gone: 'wallet.gone',
  altered: 'wallet.altered',
  failed: 'wallet.failed',
  'no-answer': 'http.connect',
} as const satisfies Record<SignInProblem, PlainKey>

/** Why a sign-in has stopped, with what the wallet itself has said where our words leave that open. */
export function showProblem(problem: SignInProblem, said: string | null): void {
  const text = translate(problemTexts[problem])
  const words = problem === 'failed' && said !== null ? `${text} ${translate('wallet.says', { said })}` : text
  const reload = { action: { label: translate('wallet.reload'), run: () => window.location.reload() }, stays: true }
  showToast('error', words, problem === 'gone' ? reload : {})
}

/** That the wallet takes long, with a way to stop waiting. */
export const showSlow = (stopWaiting: () => void): void =>
  showToast('loading', translate('wallet.slow'), {
    action: { label: translate('wallet.stopWaiting'), run: stopWaiting },
  })
