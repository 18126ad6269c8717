import type { Data } from '@candela/protocol/endpoints'
import type { incomeDays } from '@candela/protocol/endpoints/income'
import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDay } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { DayChart } from '../../ui/chart/day-chart.tsx'
import { DayTable } from '../../ui/chart/day-table.tsx'
import { RangeChoice } from '../../ui/chart/range-choice.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'

type Days = (typeof incomeDays)[number]
type Daily = Data<'GET user/incomeDaily'>['items']

const ranges = ['7', '30', '90', '365'] as const satisfies readonly Days[]

/** Shows what each day put out, drawn to the largest; a slider over the picture tells the day. */
export function IncomeChart() {
  const { t } = useTranslation()
  const [days, setDays] = useState<Days>('30')
  const daily = useRead('GET user/incomeDaily', { days }, { keepLast: true })
  return (
    <section className="card" aria-label={t('income.chart')}>
      <QueryView query={daily} loading={<Skeleton width="100%" height={190} />}>
        {({ items }) => <Chart daily={items} />}
      </QueryView>
      <RangeChoice ranges={ranges} value={days} onChange={setDays} />
    </section>
  )
}

function Chart({ daily }: { daily: Daily }) {
  const { t, language } = useTranslation()
  const [picked, setPicked] = useState<string | null>(null)
  const tag = languageTag[language]
  const total = fromBaseUnits(daily.reduce((sum, { amount }) => sum + toBaseUnits(amount), 0n))
  const chosen = daily.find(({ day }) => day === picked)
  const textOf = ({ amount, closed }: Daily[number]) =>
    closed ? `${formatAmount(amount, 6)} HASH` : t('income.notClosed')
  return (
    <>
      {chosen === undefined ? (
        <Figure
          size="large"
          label={t('income.ofDays', { days: daily.length })}
          value={<Amount value={total} unit="HASH" digits={6} />}
          from={{
            title: t('income.ofDays', { days: daily.length }),
            value: <ExactAmount value={total} unit="HASH" />,
            text: t('income.ofDaysFrom'),
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
      <DayChart
        look="bars"
        values={daily.map((each) => ({ day: each.day, value: toBaseUnits(each.amount), text: textOf(each) }))}
        picked={picked}
        pick={setPicked}
      />
      <DayTable
        heads={[t('income.day'), 'HASH']}
        rows={daily.toReversed().map((each) => ({
          key: each.day,
          cells: [formatDay(each.day, tag), each.closed ? formatAmount(each.amount, 6) : t('income.notClosed')],
        }))}
      />
    </>
  )
}
