import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDay } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import { Status } from '../../ui/state/status.tsx'
import type { Due } from './loan-types.ts'

/** Every amount with the day on which it is due, and what of it is paid. */
export function DuesList({ dues }: { dues: readonly Due[] }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  // An ordinary loan has one, which the figures above tell already.
  if (dues.length < 2) return null
  return (
    <section aria-labelledby="loan-dues">
      <h2 id="loan-dues">{t('lending.dues')}</h2>
      <dl className="rows">
        {dues.map((due) => {
          const { number, dueOn, amount, paid, fee, overdue } = due
          return (
            <Row
              key={number}
              label={t('lending.dueNo', { number })}
              value={amount === null ? t('lending.allLeft') : `${formatAmount(amount, 6)} USDT`}
              note={
                <>
                  {formatDay(dueOn, tag)} · {t('lending.feeOf', { fee: formatAmount(fee, 2) })}
                  {toBaseUnits(paid) > 0n && ` · ${t('lending.paidOf', { paid: formatAmount(paid, 6) })}`}{' '}
                  {isDone(due) ? (
                    <Status tone="good">{t('lending.duePaid')}</Status>
                  ) : (
                    overdue && <Status tone="bad">{t('loans.state.overdue')}</Status>
                  )}
                </>
              }
            />
          )
        })}
      </dl>
    </section>
  )
}

const isDone = ({ amount, paid, fee, feePaid }: Due): boolean =>
  amount !== null && toBaseUnits(paid) >= toBaseUnits(amount) && toBaseUnits(feePaid) >= toBaseUnits(fee)
