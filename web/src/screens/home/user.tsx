import { useRead } from '../../api/use-read.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { routes } from '../../navigation/routes.ts'
import type { Path } from '../../navigation/routes.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import type { IconName } from '../../ui/picture/icon.tsx'
import { FailedView, OfflineView } from '../../ui/state/state-view.tsx'
import { AccountFigures } from './account-figures.tsx'
import { CreditFigures } from './credit-figures.tsx'
import { NextStep } from './next-step.tsx'
import './user.css'

const everything: readonly [Path, IconName][] = [
  ['/computing', 'computing'],
  ['/order', 'order'],
  ['/invitation', 'invitation'],
  ['/mine', 'mine'],
  ['/deposit', 'deposit'],
  ['/transfer', 'transfer'],
  ['/exchange', 'exchange'],
  ['/withdrawal', 'withdrawal'],
  ['/list', 'list'],
  ['/incomeList', 'incomeList'],
  ['/statement', 'statement'],
  ['/hashList', 'hashList'],
  ['/exchangeList', 'exchangeList'],
  ['/devices', 'device'],
]

/** For whoever has signed in: what is theirs, what waits for them, and the way to everything. */
export default function User() {
  const { t } = useTranslation()
  const info = useRead('GET user/info', {}, { pollMs: () => 30_000 })
  return (
    <div className="user">
      <h1 className="visually-hidden">{t('route.home')}</h1>
      <Account query={info} />
      <NextStep />
      <section aria-labelledby="everything">
        <h2 id="everything">{t('home.everything')}</h2>
        <nav className="everything" aria-labelledby="everything">
          {everything.map(([path, icon]) => (
            <RouteLink key={path} to={path}>
              <Icon name={icon} size={24} />
              <span>{t(routes[path].title)}</span>
            </RouteLink>
          ))}
        </nav>
      </section>
      <CreditFigures />
    </div>
  )
}

/** The figures, or why there are none; the way to everything else stays open beneath. */
function Account({ query }: { query: ReturnType<typeof useRead<'GET user/info'>> }) {
  const { data, error, fetchStatus, refetch } = query
  if (data === undefined && fetchStatus === 'paused') return <OfflineView />
  if (data === undefined && error !== null) return <FailedView error={error} retry={() => void refetch()} />
  return <AccountFigures info={data} />
}
