import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatCount } from '../../lib/format.ts'
import { Skeleton } from '../../ui/state/skeleton.tsx'

type Props = {
  /** Undefined while it is being fetched; null without a place. */
  rank: number | null | undefined
  amount: string | undefined
  /** How the amount comes about, in words. */
  from: string
  /** The figures that the amount is computed from. */
  parts: readonly { label: string; value: string | undefined }[]
}

/** One's own place, the figure behind it, and what that is made of. */
export function OwnRank({ rank, amount, from, parts }: Props) {
  const { t } = useTranslation()
  const shown = parts.map(({ label, value }) => ({
    label,
    value: value === undefined ? <Skeleton width={80} /> : <Amount value={value} unit="USDT" digits={2} />,
  }))
  const figure = amount === undefined ? <Skeleton width={110} /> : <Amount value={amount} unit="USDT" digits={2} />
  return (
    <section className="own-rank" aria-label={t('list.yours')} data-rank={rank ?? undefined}>
      <div className="own-rank-place">
        <span className="figure-label">{t('list.yours')}</span>
        {rank === undefined ? (
          <Skeleton width={90} height={30} />
        ) : (
          <strong>{rank === null ? t('list.noPlace') : t('list.place', { rank: formatCount(rank) })}</strong>
        )}
      </div>
      <button
        type="button"
        className="row-button"
        onClick={() => explain({ title: t('list.amount'), value: figure, text: from, inputs: shown })}
      >
        <span className="figure-label">{t('list.amount')}</span>
        {figure}
      </button>
      <dl>
        {shown.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
