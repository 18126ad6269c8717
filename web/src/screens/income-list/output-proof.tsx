import type { Data } from '@candela/protocol/endpoints'
import { languageTag, textIn } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { recomputeIncome, type Recomputed } from '@candela/protocol/money/recompute-income'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { formatCount, formatDay, formatPercent, formatTime } from '../../lib/format.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { Fold } from '../../ui/control/fold.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import type { Income } from './income-type.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'

type Day = Data<'GET power/day'>

/** An income of output: the published figures of its day, the sum, and whether it agrees. */
export function OutputProof({ income, day }: { income: Income; day: string }) {
  const figures = useRead('GET power/day', { day })
  return (
    <QueryView query={figures} loading={<Skeleton width="100%" height={320} />}>
      {(data) => <Proof income={income} day={data} />}
    </QueryView>
  )
}

const hash = (amount: string) => <ExactAmount value={amount} unit="HASH" />

function Proof({ income, day }: { income: Income; day: Day }) {
  const { t, language } = useTranslation()
  const recomputed = recomputeIncome(day, income)
  const tag = languageTag[language]
  const units = (count: number | bigint) => `${formatCount(Number(count))} ${day.unit}`
  const nameOf = (planId: string) => {
    const plan = day.plans.find((each) => each.planId === planId)
    return plan === undefined ? planId : textIn(plan.planName, language)
  }
  return (
    <>
      <Verdict recomputed={recomputed} booked={income.amount} />
      <p className="income-formula">{t('income.formula')}</p>
      <dl className="rows income-rows">
        <Row label={t('income.day')} value={formatDay(day.day, tag)} />
        <Row label={t('income.revenue')} value={hash(day.revenue)} />
        <Deposits day={day} />
        <Row label={t('income.carriedIn')} value={hash(day.carriedIn)} />
        <Row label={t('income.totalUnits')} value={units(day.totalUnits)} />
        {recomputed.parts.map((part) => (
          <Row
            key={part.planId}
            label={nameOf(part.planId)}
            value={units(part.units)}
            note={t('income.part', { rate: formatPercent(part.feeRate), share: fromBaseUnits(part.share) })}
          />
        ))}
        <Row label={t('income.result')} value={<strong>{hash(fromBaseUnits(recomputed.total))}</strong>} />
      </dl>
      <Fold title={t('income.wholeDay')}>
        <dl className="rows income-rows">
          <Row label={t('income.paid')} value={hash(day.paid)} note={t('income.accounts', { count: day.accounts })} />
          <Row label={t('income.fee')} value={hash(day.fee)} />
          <Row label={t('income.carriedOut')} value={hash(day.carriedOut)} />
          {day.closedAt !== null && <Row label={t('income.closedAt')} value={formatTime(day.closedAt, tag)} />}
        </dl>
      </Fold>
    </>
  )
}

/** Shown first, and as an alert where the recomputed figures differ. */
function Verdict({ recomputed, booked }: { recomputed: Recomputed; booked: string }) {
  const { t } = useTranslation()
  const { disagreements, total } = recomputed
  if (disagreements.length === 0)
    return (
      <p className="income-verdict" data-agrees>
        <Icon name="check" size={20} />
        <span>{t('income.agrees')}</span>
      </p>
    )
  return (
    <div className="income-verdict" role="alert">
      <Icon name="alert" size={20} />
      <div>
        <strong>{t('income.differs')}</strong>
        {disagreements.includes('amount') && (
          <p className="breakable">{t('income.differsAmount', { booked, recomputed: fromBaseUnits(total) })}</p>
        )}
        {disagreements.some((each) => each !== 'amount') && <p>{t('income.differsDay')}</p>}
      </div>
    </div>
  )
}

function Deposits({ day }: { day: Day }) {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  if (day.deposits.length === 0) return null
  return day.deposits.map((deposit) => (
    <Row
      key={`${deposit.txHash} ${deposit.blockNumber}`}
      label={
        deposit.forDay === day.day
          ? t('income.deposit')
          : t('income.lateDeposit', { day: formatDay(deposit.forDay, languageTag[language]) })
      }
      value={<ChainLink kind="transaction" value={deposit.txHash} what={t('income.deposit')} network={network} />}
      note={day.deposits.length > 1 ? `${deposit.amount} HASH` : undefined}
    />
  ))
}
