import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { Verdict } from '../../lending/recomputed.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent, formatTime, shorten } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import '../../ui/list/entry-row.css'
import type { Detail, Liquidation } from './loan-types.ts'
import { disagreementsOf } from './recompute-liquidation.ts'

type Props = { liquidations: readonly Liquidation[]; terms: Detail['terms'] }

/** Every sale of collateral; a tap opens the report with everything that it was computed from. */
export function Liquidations({ liquidations, terms }: Props) {
  const { t, language } = useTranslation()
  const [shown, setShown] = useState<Liquidation | null>(null)
  const [last, setLast] = useState(shown)
  // The figures stay while the sheet glides out.
  if (shown !== null && shown !== last) setLast(shown)
  if (liquidations.length === 0) return null
  return (
    <section aria-labelledby="loan-liquidations">
      <h2 id="loan-liquidations">{t('lending.liquidations')}</h2>
      {liquidations.map((report) => (
        <button
          key={report.liquidationNo}
          type="button"
          className="entry-row"
          data-liquidation={report.liquidationNo}
          onClick={() => setShown(report)}
        >
          <span className="entry-row-what">{t(`lending.reason.${report.reason}`)}</span>
          <span className="entry-row-amount">
            −<Amount value={report.sold} unit={report.collateralAsset} digits={6} />
          </span>
          <span className="entry-row-note">{formatTime(report.at, languageTag[language])}</span>
        </button>
      ))}
      <Sheet open={shown !== null} title={t('lending.report')} onClose={() => setShown(null)}>
        {last !== null && <Report report={last} terms={terms} />}
      </Sheet>
    </section>
  )
}

function Report({ report, terms }: { report: Liquidation; terms: Detail['terms'] }) {
  const { t, language } = useTranslation()
  const wrong = disagreementsOf(report, terms)
  const { collateralAsset, mortgageRate } = report
  const inAsset = (value: string) => <ExactAmount value={value} unit={collateralAsset} />
  return (
    <div className="loan-report">
      <Verdict agrees={wrong.length === 0}>
        <ul>
          {wrong.map((figure) => (
            <li key={figure}>{t(`lending.figure.${figure}`)}</li>
          ))}
        </ul>
      </Verdict>
      <p className="muted small">{t('lending.reportFrom')}</p>
      <h3>{t('lending.before')}</h3>
      <dl className="rows">
        <Row label={t('lending.principal')} value={usdt(report.principal)} />
        <Row label={t('lending.interest')} value={usdt(report.interest)} />
        <Row label={t('lending.charges')} value={usdt(report.charges)} />
        <Row label={t('loans.collateral')} value={inAsset(report.collateral)} />
        <Row
          label={t('lending.figure.mortgageRate')}
          value={mortgageRate === null ? '—' : formatPercent(mortgageRate, 4)}
        />
        <Row label={t('loans.clearingLine')} value={formatPercent(report.clearingLine, 4)} />
      </dl>
      <h3>{t('lending.prices')}</h3>
      <dl className="rows">
        <Row label={t('loans.priceSpot')} value={usdt(report.spot)} />
        {report.median5 === null ? (
          <Row label={t('lending.average5')} value={usdt(report.average5)} />
        ) : (
          <Row label={t('lending.median5')} value={usdt(report.median5)} />
        )}
        <Row label={t('lending.average30')} value={usdt(report.average30)} />
        {report.averageDay !== null && <Row label={t('lending.averageDay')} value={usdt(report.averageDay)} />}
        <Row
          label={t('lending.figure.watchPrice')}
          value={usdt(report.watchPrice)}
          note={t(report.median5 === null ? 'lending.watchNoteBefore' : 'lending.watchNote')}
        />
        <Row
          label={t('lending.figure.salePrice')}
          value={usdt(report.salePrice)}
          note={t(report.averageDay === null ? 'lending.saleNoteBefore' : 'lending.saleNote')}
        />
        <Row
          label={t('loans.priceSeen')}
          value={`#${report.blockNumber} · ${formatTime(report.observedAt, languageTag[language])}`}
        />
        <Row label={t('loans.pricePair')} value={<code>{shorten(report.pair)}</code>} />
        <Row label={t('lending.deskUsdt')} value={usdt(report.deskUsdt)} />
      </dl>
      <h3>{t('lending.result')}</h3>
      <dl className="rows">
        <Row
          label={t('lending.figure.full')}
          value={t(report.full ? 'lending.wholeDebt' : 'lending.halfDebt')}
          note={report.incomplete ? t('lending.figure.incomplete') : undefined}
        />
        <Row label={t('lending.figure.sold')} value={inAsset(report.sold)} />
        <Row label={t('lending.figure.proceeds')} value={usdt(report.proceeds)} />
        <Row label={t('lending.figure.repaid')} value={usdt(report.repaid)} />
        <Row label={t('lending.figure.fee')} value={usdt(report.fee)} note={formatPercent(report.feeRate)} />
        <Row label={t('lending.figure.returned')} value={inAsset(report.returned)} />
        <Row
          label={t('lending.figure.shortfall')}
          value={usdt(report.shortfall)}
          note={toBaseUnits(report.shortfall) > 0n ? t('lending.shortfallNote') : undefined}
        />
      </dl>
    </div>
  )
}
