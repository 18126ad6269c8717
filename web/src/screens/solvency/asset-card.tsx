import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { formatPercent } from '../../lib/format.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Status } from '../../ui/state/status.tsx'
import type { Compared } from './solvency-types.ts'

type Line = Compared['assets'][number]

const DIGITS = 4

/** One asset: held, owed, and what is over or missing. */
export function AssetCard({ line, isOld }: { line: Line; isOld: boolean }) {
  const { t } = useTranslation()
  const { asset, held, owed, ratio } = line
  const surplus = toBaseUnits(held) - toBaseUnits(owed)
  const isShort = surplus < 0n
  const amount = (value: string) => <Amount value={value} unit={asset} digits={DIGITS} />
  const note = (value: string) => t('solvency.exact', { amount: `${value} ${asset}` })
  return (
    <section className="card" aria-labelledby={`solvency-${asset}`}>
      <div className="card-head">
        <h2 id={`solvency-${asset}`}>{asset}</h2>
        <Status tone={isOld ? 'calm' : isShort ? 'bad' : 'good'}>
          {ratio === null ? t('solvency.nothingOwed') : formatPercent(ratio)}
        </Status>
      </div>
      <dl className="rows">
        <Row
          label={t('solvency.held')}
          value={amount(held)}
          from={{ title: t('solvency.held'), value: amount(held), text: `${t('solvency.heldFrom')} ${note(held)}` }}
        />
        <Row
          label={t('solvency.owed')}
          value={amount(owed)}
          from={{
            title: t('solvency.owed'),
            value: amount(owed),
            text: `${t('solvency.owedFrom')} ${note(owed)}`,
            inputs: [
              { label: t('solvency.owedMembers'), value: amount(line.owedMembers) },
              { label: t('solvency.owedUnassigned'), value: amount(line.owedUnassigned) },
            ],
          }}
        />
        <Row
          label={t(isShort ? 'solvency.missing' : 'solvency.over')}
          value={<span data-short={isShort || undefined}>{amount(fromBaseUnits(isShort ? -surplus : surplus))}</span>}
          from={{
            title: t(isShort ? 'solvency.missing' : 'solvency.over'),
            text: t(isShort ? 'solvency.missingFrom' : 'solvency.overFrom'),
          }}
        />
      </dl>
    </section>
  )
}
