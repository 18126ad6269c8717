import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { Verdict } from '../../lending/recomputed.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatTime } from '../../lib/format.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import type { Bill } from './fund-types.ts'
import { recomputeBill } from './recompute-bill.ts'

/** A bill, computed again before the reader's eyes. */
export function BillCard({ bill, onClose }: { bill: Bill | null; onClose: () => void }) {
  const { t } = useTranslation()
  const [last, setLast] = useState(bill)
  // The figures stay while the sheet glides out.
  if (bill !== null && bill !== last) setLast(bill)
  const shown = bill ?? last
  return (
    <Sheet open={bill !== null} title={t(`finance.type.${shown?.type ?? 'in'}`)} onClose={onClose}>
      {shown !== null && <Contents bill={shown} />}
    </Sheet>
  )
}

function Contents({ bill }: { bill: Bill }) {
  const { t, language } = useTranslation()
  const { profit, worthBefore, worthAfter, agrees } = recomputeBill(bill)
  const isMove = bill.type === 'in' || bill.type === 'out'
  const inShares = (value: string) => <ExactAmount value={value} unit={t('finance.shareUnit')} />
  return (
    <div className="fund-card">
      <p className="explain-value">{usdt(isMove ? bill.amount : bill.profit)}</p>
      <Verdict agrees={agrees}>
        {!isMove && (
          <p className="breakable">
            {t('finance.differsProfit', { booked: bill.profit, recomputed: fromBaseUnits(profit) })}
          </p>
        )}
      </Verdict>
      <p className="muted small">{t(`finance.typeFrom.${bill.type}`)}</p>
      <dl className="rows">
        <Row label={t(isMove ? 'finance.movedShares' : 'finance.shares')} value={inShares(bill.shares)} />
        <Row label={t('finance.assetsBefore')} value={usdt(bill.before.assets)} />
        <Row label={t('finance.sharesBefore')} value={inShares(bill.before.shares)} />
        <Row label={t('finance.assetsAfter')} value={usdt(bill.after.assets)} />
        <Row label={t('finance.sharesAfter')} value={inShares(bill.after.shares)} />
        {!isMove && (
          <>
            <Row label={t('finance.worthBefore')} value={usdt(worthBefore)} />
            <Row label={t('finance.worthAfter')} value={usdt(worthAfter)} />
            <Row label={t('finance.profit')} value={<strong>{usdt(profit)}</strong>} />
          </>
        )}
        <Row label={t('finance.time')} value={formatTime(bill.at, languageTag[language])} />
      </dl>
    </div>
  )
}
