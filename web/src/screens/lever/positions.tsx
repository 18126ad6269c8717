import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { useState } from 'react'
import { useReadPages } from '../../api/use-read-pages.ts'
import { LoanCard } from '../../lending/loan-card.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useRouter } from '../../navigation/router-context.ts'
import { Button } from '../../ui/control/button.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { CloseSheet } from './close-sheet.tsx'
import { MarginSheet } from './margin-sheet.tsx'

/** The open positions, among the loans that are open. */
export function Positions() {
  const { t } = useTranslation()
  const router = useRouter()
  const [act, setAct] = useState<{ kind: 'close' | 'margin'; loan: LoanItem } | null>(null)
  const loans = useReadPages('GET lending/orders', { open: '1' }, () => 15_000)
  const pages = loans.data?.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ kind }) => kind === 'lever'),
  }))
  const positions = { ...loans, data: pages === undefined ? undefined : { pages } }
  const close = () => setAct(null)
  return (
    <>
      <PagedList
        query={positions}
        keyOf={({ loanNo }) => loanNo}
        itemHeight={260}
        empty={<StateView icon="lever" title={t('lever.none')} text={t('lever.noneText')} />}
      >
        {(loan) => (
          <div className="lever-position">
            <LoanCard loan={loan} open={() => router.go('/lending', { no: loan.loanNo })} />
            <div className="lever-actions">
              <Button onClick={() => setAct({ kind: 'margin', loan })}>{t('lever.addMargin')}</Button>
              <Button onClick={() => setAct({ kind: 'close', loan })}>{t('lever.close')}</Button>
            </div>
          </div>
        )}
      </PagedList>
      <CloseSheet loan={act?.kind === 'close' ? act.loan : null} close={close} />
      <MarginSheet loan={act?.kind === 'margin' ? act.loan : null} close={close} />
    </>
  )
}
