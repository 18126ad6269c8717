import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { Button } from '../../ui/control/button.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Bills } from './bills.tsx'
import { Figures, FundFacts } from './figures.tsx'
import type { Info } from './fund-types.ts'
import { type Direction, MoveSheet } from './move-sheet.tsx'
import { PriceChart } from './price-chart.tsx'
import './finance.css'

/** The money fund: what is in it, what it earned and from what, and the way in and out. */
export default function Finance({ path }: { path: Path }) {
  const info = useRead('GET finance/info', {}, { pollMs: () => 15_000 })
  return (
    <Screen path={path}>
      <div className="fund">
        <QueryView query={info} loading={<Figures info={undefined} />}>
          {(data) => <Fund info={data} />}
        </QueryView>
        <Bills />
      </div>
    </Screen>
  )
}

function Fund({ info }: { info: Info }) {
  const { t } = useTranslation()
  const [direction, setDirection] = useState<Direction | null>(null)
  return (
    <>
      <Figures info={info} />
      <div className="fund-actions">
        <Button look="primary" onClick={() => setDirection('in')}>
          {t('finance.in')}
        </Button>
        <Button onClick={() => setDirection('out')}>{t('finance.out')}</Button>
      </div>
      <PriceChart info={info} />
      <FundFacts info={info} />
      <MoveSheet direction={direction} info={info} close={() => setDirection(null)} />
    </>
  )
}
