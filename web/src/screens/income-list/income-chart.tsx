import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { formatDay } from '../../lib/format.ts'

type Daily = Data<'GET user/incomeList'>['daily']

const HEIGHT = 96
/** The height of the smallest income in pixels, so that it differs from none. */
const MIN_BAR = 3

/** Thirty bars, one a day, drawn to the largest; a touch tells the day. A day that is not closed is an outline at the foot. */
export function IncomeChart({ daily }: { daily: Daily }) {
  const { t, language } = useTranslation()
  const [picked, setPicked] = useState<string | null>(null)
  const tag = languageTag[language]
  const amounts = daily.map(({ amount }) => toBaseUnits(amount))
  const largest = amounts.reduce((max, amount) => (amount > max ? amount : max), 0n)
  const total = fromBaseUnits(amounts.reduce((sum, amount) => sum + amount, 0n))
  const chosen = daily.find(({ day }) => day === picked)
  const first = daily[0]
  const last = daily.at(-1)
  if (first === undefined || last === undefined) return null
  const heightOf = (amount: bigint): number =>
    // A thousandth is finer than any pixel; the figures themselves stay exact.
    amount === 0n ? 0 : Math.max(MIN_BAR, (Number((amount * 1_000n) / largest) / 1_000) * HEIGHT)
  return (
    <section className="income-chart" aria-label={t('income.chart')}>
      {chosen === undefined ? (
        <Figure
          size="large"
          label={t('income.thirtyDays')}
          value={<Amount value={total} unit="HASH" digits={6} />}
          from={{
            title: t('income.thirtyDays'),
            value: <span className="breakable">{total} HASH</span>,
            text: t('income.thirtyDaysFrom'),
          }}
        />
      ) : (
        <Figure
          size="large"
          label={t('income.ofDay', { day: formatDay(chosen.day, tag) })}
          value={
            chosen.closed ? (
              <Amount value={chosen.amount} unit="HASH" digits={6} />
            ) : (
              <span className="absent">{t('income.notClosed')}</span>
            )
          }
        />
      )}
      <div className="income-bars">
        {daily.map(({ day, closed }, nth) => (
          <button
            key={day}
            type="button"
            className="income-bar"
            data-closed={closed || undefined}
            aria-pressed={day === picked}
            aria-label={`${formatDay(day, tag)}: ${closed ? `${daily[nth]!.amount} HASH` : t('income.notClosed')}`}
            onClick={() => setPicked(day === picked ? null : day)}
          >
            <span style={{ height: heightOf(amounts[nth]!) }} />
          </button>
        ))}
      </div>
      <p className="income-axis" aria-hidden="true">
        <span>{formatDay(first.day, tag)}</span>
        <span>{formatDay(last.day, tag)}</span>
      </p>
    </section>
  )
}
