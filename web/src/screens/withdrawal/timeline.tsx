import { languageTag } from '@candela/protocol/language'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatTime } from '../../lib/format.ts'
import type { Withdrawal } from './withdrawal-types.ts'

type State = Withdrawal['state']

const way: readonly State[] = ['queued', 'sending', 'confirming', 'done']

/** The steps so far with their times, and those to come. */
export function Timeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t, language } = useTranslation()
  const { timeline, state, takenBackAt, confirmations, confirmationsNeeded } = withdrawal
  const last = timeline.at(-1)?.state
  const isOver = state === 'done' || state === 'rejected' || state === 'failed'
  // Being in a block is not recorded as a step: a reorganisation may take it back.
  const done = last === state || isOver ? timeline : [...timeline, { state, at: null, txHash: withdrawal.txHash }]
  const ahead = isOver ? [] : way.slice(way.indexOf(state) + 1)
  const counted = Math.min(confirmations, confirmationsNeeded)
  return (
    <ol className="timeline">
      {done.map(({ state: step, at }, nth) => (
        <li key={`${step} ${at ?? ''}`} data-now={nth === done.length - 1 || undefined} data-step={step}>
          <span>
            {t(step === 'rejected' && takenBackAt !== null ? 'withdraw.step.takenBack' : `withdraw.step.${step}`)}
          </span>
          {step === 'confirming' && nth === done.length - 1 && (
            <span className="timeline-note">
              {t('pay.confirmations', { done: counted, needed: confirmationsNeeded })}
            </span>
          )}
          {at !== null && <time dateTime={at}>{formatTime(at, languageTag[language])}</time>}
        </li>
      ))}
      {ahead.map((step) => (
        <li key={step} data-ahead>
          <span>{t(`withdraw.step.${step}`)}</span>
        </li>
      ))}
    </ol>
  )
}
