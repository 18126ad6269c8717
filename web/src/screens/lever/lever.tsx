import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { OpenForm } from './open-form.tsx'
import { Positions } from './positions.tsx'
import './lever.css'

const views = ['open', 'positions'] as const
type View = (typeof views)[number]

/** A leveraged loan: everything that it means before it is opened, and the positions that are open. */
export default function Lever({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [view, setView] = useState<View>('open')
  const options = useRead('GET lever/options', {}, { pollMs: () => 15_000 })
  return (
    <Screen path={path}>
      <Segmented
        look="tabs"
        label={t('lever.view')}
        options={views}
        textOf={(each) => t(`lever.view.${each}`)}
        value={view}
        onChange={setView}
      />
      {view === 'open' ? (
        <QueryView query={options} loading={<Skeleton width="100%" height={420} />}>
          {(data) => <OpenForm options={data} opened={() => setView('positions')} />}
        </QueryView>
      ) : (
        <Positions />
      )}
    </Screen>
  )
}
