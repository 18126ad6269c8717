import { installmentCounts, minimumPrincipal } from '@candela/protocol/lending/schedule'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { BackLink } from '../../lending/back-link.tsx'
import { ChargesRows } from '../../lending/charges-rows.tsx'
import { Fold } from '../../ui/control/fold.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../lib/format.ts'
import { useRouter } from '../../navigation/router-context.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { type CollateralAct, CollateralSheet } from './collateral-sheet.tsx'
import { DuesList } from './dues-list.tsx'
import { InstallmentSheet } from './installment-sheet.tsx'
import { Liquidations } from './liquidations.tsx'
import { LoanFigures, LoanSafety } from './loan-figures.tsx'
import { countsFor, type Detail, isOpen } from './loan-types.ts'
import { RepaySheet } from './repay-sheet.tsx'

/** One loan: what is owed and why, how safe it is, and everything that can be done about it. */
export function LoanDetail({ loanNo }: { loanNo: string }) {
  const { t } = useTranslation()
  const detail = useRead('GET lending/detail', { loanNo }, { pollMs: () => 10_000 })
  return (
    <div className="loan">
      <BackLink to="/lending">{t('lending.all')}</BackLink>
      <QueryView query={detail} loading={<Skeleton width="100%" height={420} />}>
        {(data) => <Loan detail={data} />}
      </QueryView>
    </div>
  )
}

/** The least principal for the fewest installments, USDT. */
const least = (fee: string): string =>
  formatAmount(fromBaseUnits(minimumPrincipal(Math.min(...installmentCounts), toBaseUnits(fee))), 2)

type Shown = 'repay' | 'installment' | CollateralAct | null

function Loan({ detail }: { detail: Detail }) {
  const { t } = useTranslation()
  const router = useRouter()
  const [shown, setShown] = useState<Shown>(null)
  const close = () => setShown(null)
  const { loan, dues, terms, liquidations, releasable } = detail
  const ofProject = loan.kind === 'project'
  return (
    <>
      <LoanFigures
        loan={loan}
        action={
          isOpen(loan) && (
            <Button block look="primary" onClick={() => setShown('repay')}>
              {t('lending.repay')}
            </Button>
          )
        }
      />
      {isOpen(loan) && (
        <>
          <LoanSafety loan={loan} />
          <div className="loan-actions">
            {ofProject && <Button onClick={() => setShown('add')}>{t('lending.add')}</Button>}
            {ofProject && <Button onClick={() => setShown('release')}>{t('lending.release')}</Button>}
            {ofProject && loan.state === 'active' && countsFor(detail).length > 0 && (
              <Button onClick={() => setShown('installment')}>{t('lending.toInstallments')}</Button>
            )}
            {!ofProject && <Button onClick={() => router.go('/lever')}>{t('lending.toLever')}</Button>}
          </div>
          {ofProject && loan.state === 'active' && countsFor(detail).length === 0 && (
            <p className="muted small">
              {t('lending.noInstallments', {
                fee: formatAmount(terms.installmentFee, 2),
                least: least(terms.installmentFee),
              })}
            </p>
          )}
        </>
      )}
      <DuesList dues={dues} />
      <button type="button" className="loan-link" onClick={() => router.go('/repayments', { no: loan.loanNo })}>
        <Icon name="statement" />
        <span>{t('route.repayments')}</span>
        <Icon name="forward" size={18} />
      </button>
      <Liquidations liquidations={liquidations} terms={terms} />
      <Fold title={t('lending.terms')}>
        <ChargesRows charges={terms} lines={loan} />
      </Fold>
      <RepaySheet open={shown === 'repay'} detail={detail} close={close} />
      <InstallmentSheet open={shown === 'installment'} detail={detail} close={close} />
      <CollateralSheet
        act={shown === 'add' || shown === 'release' ? shown : null}
        loan={loan}
        releasable={releasable}
        close={close}
      />
    </>
  )
}
