import { installmentCounts, scheduleOf } from '@candela/protocol/lending/schedule'
import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { Verdict } from '../../lending/recomputed.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDay, formatCost } from '../../lib/format.ts'
import { useApp } from '../../session/app-context.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import '../../ui/list/figure-table.css'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Row } from '../../ui/list/row.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { countsFor, type Detail, type Schedule } from './loan-types.ts'

type Count = `${ReturnType<typeof countsFor>[number]}`

type Props = { open: boolean; detail: Detail; close: () => void }

/** The number of installments, and the whole schedule before anybody agrees to it. */
export function InstallmentSheet({ open, detail, close }: Props) {
  const { t } = useTranslation()
  const app = useApp()
  const { loanNo } = detail.loan
  const counts = countsFor(detail).map((one): Count => `${one}`)
  const [chosen, setCount] = useState<Count>('3')
  const count = counts.includes(chosen) ? chosen : (counts.at(-1) ?? '3')
  const schedule = useRead('GET lending/schedule', { loanNo, count }, { enabled: open && counts.length > 0 })
  const run = async () => {
    if (schedule.data === undefined) return
    // The failure has been told already.
    const done = await sendCommand(app, 'POST lending/installment', { loanNo, count }).catch(() => null)
    if (done !== null) {
      showToast('done', t('lending.installmentDone', { count }))
      close()
    }
    await invalidateAccount('GET lending/detail', 'GET lending/orders', 'GET home/overview')
  }
  return (
    <ActionSheet
      open={open}
      title={t('lending.toInstallments')}
      action={t('lending.confirmInstallments', { count })}
      dimmed={schedule.data === undefined}
      run={run}
      close={close}
    >
      <Segmented label={t('lending.count')} options={counts} value={count} onChange={setCount} />
      {counts.length < installmentCounts.length && (
        <p className="muted small">{t('lending.fewerCounts', { fee: formatAmount(detail.terms.installmentFee, 2) })}</p>
      )}
      <QueryView query={schedule} loading={<Skeleton width="100%" height={300} />}>
        {(data) => <ScheduleTable schedule={data} count={Number(count)} />}
      </QueryView>
      <p className="muted small">{t('lending.installmentNote')}</p>
    </ActionSheet>
  )
}

function ScheduleTable({ schedule, count }: { schedule: Schedule; count: number }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const { installments, totalInterest, totalFees, total } = schedule
  const [first] = installments
  return (
    <>
      {first !== undefined && (
        <p>
          {t('lending.installmentSentence', {
            count,
            payment: formatCost(toBaseUnits(first.payment) + toBaseUnits(first.fee), 4),
            day: formatDay(first.dueOn, tag),
            total: formatCost(total, 4),
            cost: formatCost(toBaseUnits(totalInterest) + toBaseUnits(totalFees), 4),
          })}
        </p>
      )}
      <dl className="rows">
        <Row label={t('lending.totalInterest')} value={<Amount value={totalInterest} unit="USDT" digits={6} />} />
        <Row
          label={t('lending.totalFees')}
          value={<Amount value={totalFees} unit="USDT" digits={2} />}
          note={t('lending.feeEach', { fee: formatAmount(first?.fee ?? '0', 2) })}
        />
        <Row label={t('lending.total')} value={<Amount value={total} unit="USDT" digits={6} />} />
      </dl>
      <Verdict agrees={scheduleAgrees(schedule, count)} />
      <div className="figure-table">
        <table>
          <caption>{t('lending.inUsdt')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('lending.dueDay')}</th>
              <th scope="col">{t('lending.payment')}</th>
              <th scope="col">{t('lending.principal')}</th>
              <th scope="col">{t('lending.interest')}</th>
            </tr>
          </thead>
          <tbody>
            {installments.map(({ number, dueOn, payment, principal, interest }) => (
              <tr key={number}>
                <th scope="row">{formatDay(dueOn, tag)}</th>
                <td>{formatAmount(payment, 4)}</td>
                <td>{formatAmount(principal, 4)}</td>
                <td>{formatAmount(interest, 4)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The same schedule computed on this device, to the last unit. */
function scheduleAgrees({ principal, interest, rate, from, interestThrough, installments }: Schedule, count: number) {
  const here = scheduleOf({
    principal: toBaseUnits(principal),
    interest: toBaseUnits(interest),
    rate_ppm: toBaseUnits(rate, RATE_DECIMALS),
    from,
    interestThrough,
    count,
    fee: toBaseUnits(installments[0]?.fee ?? '0'),
  })
  return (
    here.length === installments.length &&
    here.every(({ dueOn, payment, interest: part }, nth) => {
      const shown = installments[nth]
      return (
        shown !== undefined &&
        shown.dueOn === dueOn &&
        toBaseUnits(shown.payment) === payment &&
        toBaseUnits(shown.interest) === part
      )
    })
  )
}
