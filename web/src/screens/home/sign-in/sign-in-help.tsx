import type { PlainKey } from '../../../i18n/translate.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import type { SignInProblem, SignInState } from '../../../session/sign-in/sign-in.ts'

const problemTexts = {
  'not-installed': 'visit.needWallet',
  'not-connected': 'visit.refusedConnect',
  refused: 'visit.refused',
  busy: 'visit.walletBusy',
  silent: 'visit.silent',
  'no-relay': 'visit.failed',
  'no-account': 'visit.silent',
  gone: 'visit.failed',
  altered: 'visit.failed',
  failed: 'visit.failed',
  'no-answer': 'visit.failed',
} as const satisfies Record<SignInProblem, PlainKey>

/** Why a sign-in takes long or has stopped, and what to do about it. */
export default function SignInHelp({ state: { problem } }: { state: SignInState }) {
  const { t } = useTranslation()
  return t(problem === null ? 'visit.slow' : problemTexts[problem])
}
