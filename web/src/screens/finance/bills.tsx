import '../../ui/list/entry-row.css'
import { billPeriods } from '@candela/protocol/lending/choices'
import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { useReadPages } from '../../api/use-read-pages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatDay, formatTime } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { BillCard } from './bill-card.tsx'
import { Earned } from './figures.tsx'
import type { Bill } from './fund-types.ts'

type Period = (typeof billPeriods)[number]

/** Lists what was moved in and out, and what each day earned; a tap opens what a line was computed from. */
export function Bills() {
  const { t } = useTranslation()
  const [period, setPeriod] = useState<Period>('all')
  const [shown, setShown] = useState<Bill | null>(null)
  const bills = useReadPages('GET finance/bills', { period })
  return (
    <section className="fund-bills" aria-labelledby="fund-bills">
      <h2 id="fund-bills">{t('finance.bills')}</h2>
      <Segmented
        look="chips"
        label={t('finance.period')}
        options={billPeriods}
        textOf={(each) => t(`finance.period.${each}`)}
        value={period}
        onChange={setPeriod}
      />
      <PagedList
        query={bills}
        keyOf={({ id }) => id}
        itemHeight={64}
        empty={
          <StateView
            icon="statement"
            title={t(period === 'all' ? 'finance.noBills' : 'finance.noBillsThen')}
            text={t('finance.noBillsText')}
          />
        }
      >
        {(bill) => <BillRow bill={bill} open={() => setShown(bill)} />}
      </PagedList>
      <BillCard bill={shown} onClose={() => setShown(null)} />
    </section>
  )
}

function BillRow({ bill, open }: { bill: Bill; open: () => void }) {
  const { t, language } = useTranslation()
  const { id, type, amount, profit, day, at } = bill
  const tag = languageTag[language]
  return (
    <button type="button" className="entry-row" data-bill={id} data-type={type} onClick={open}>
      <span className="entry-row-what">{t(`finance.type.${type}`)}</span>
      <span className="entry-row-amount">
        {type === 'earnings' || type === 'deficit' ? (
          <Earned value={profit} />
        ) : (
          <>
            {type === 'in' ? '+' : '−'}
            <Amount value={amount} unit="USDT" digits={6} />
          </>
        )}
      </span>
      <span className="entry-row-note">
        {day === null ? formatTime(at, tag) : t('finance.ofDay', { day: formatDay(day, tag) })}
      </span>
    </button>
  )
}
