import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { loadScreen } from '../../navigation/lazy-screen.ts'
import type { SignedOutReason } from '../../session/signed-out-reason.ts'
import { useApp } from '../../session/app-context.tsx'
import type { SignInState } from '../../session/sign-in/sign-in.ts'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { useStore } from '../../lib/store.ts'
import { walletStore } from '../../wallet/wallet.ts'
import { PublicFigures } from './public-figures.tsx'
import './visitor.css'

const steps = [
  ['visit.step1', 'visit.step1Text'],
  ['visit.step2', 'visit.step2Text'],
  ['visit.step3', 'visit.step3Text'],
] as const satisfies readonly (readonly [PlainKey, PlainKey])[]

/** Home without a session: what this is, current public figures, and signing in. */
export function Visitor() {
  const { t } = useTranslation()
  const home = useRead('GET home/public', {}, { pollMs: () => 30_000 })
  return (
    <div className="visit">
      <SignedOutNote />
      <section className="visit-hero">
        <h1>{t('visit.title')}</h1>
        <p className="visit-lead">{t('visit.lead')}</p>
      </section>
      <PublicFigures query={home} />
      <section className="visit-steps" aria-labelledby="visit-steps">
        <h2 id="visit-steps">{t('visit.steps')}</h2>
        <ol>
          {steps.map(([title, text]) => (
            <li key={title}>
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </li>
          ))}
        </ol>
      </section>
      <SignInPanel />
    </div>
  )
}

const signedOutTexts = {
  byHand: null,
  ended: 'visit.ended',
  tooMany: 'visit.tooMany',
  otherAccount: 'visit.otherAccount',
  otherTab: 'visit.otherTab',
} as const satisfies Record<SignedOutReason, PlainKey | null>

/** Why the session is over, where the person did not end it. */
function SignedOutNote() {
  const { t } = useTranslation()
  const left = useStore(useApp().signedOutReason)
  const text = left === null ? null : signedOutTexts[left]
  if (text === null) return null
  return (
    <output className="visit-signed-out">
      <Icon name="device" />
      {t(text)}
    </output>
  )
}

/** The sign-in button, and beneath it how far the sign-in has come or why it stopped. */
function SignInPanel() {
  const { t } = useTranslation()
  const { signIn, invitationCode } = useApp()
  const state = useStore(signIn.state)
  const { address } = useStore(walletStore)
  const code = useStore(invitationCode)
  const label = address === null ? t('visit.connect') : t('visit.signIn')
  const { step, slow } = state
  return (
    <div className="visit-enter">
      <Button look="primary" block busy={step !== 'idle' && !slow} onClick={() => void signIn.connect()}>
        {step === 'idle' ? label : slow ? t('ui.retry') : t(`visit.busy.${step}`)}
      </Button>
      {step !== 'idle' && (
        <Button look="text" onClick={signIn.cancel}>
          {t('ui.cancel')}
        </Button>
      )}
      <SignInNote state={state}>{code === '' ? t('visit.signNote') : t('visit.invited', { code })}</SignInNote>
    </div>
  )
}

const signInHelp = { code: () => import('./sign-in/sign-in-help.tsx'), texts: ['sign-in-help'] }

/** Says what a sign-in costs, until there is something to be said about the one under way. */
function SignInNote({ state, children }: { state: SignInState; children: ReactNode }) {
  const [Help, setHelp] = useState<ComponentType<{ state: SignInState }> | null>(null)
  const isNeeded = state.slow || state.problem !== null
  useEffect(() => {
    // Fetched with the first tap. Where that fails, the toast has said what is wrong.
    if (state.step === 'idle' && !isNeeded) return
    loadScreen(signInHelp).then(
      (module) => setHelp(() => module.default),
      () => undefined,
    )
  }, [state.step, isNeeded])
  return (
    <output className="visit-note" data-problem={isNeeded || undefined}>
      {isNeeded && Help !== null ? <Help state={state} /> : children}
    </output>
  )
}
