import { useRead } from '../../api/use-read.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { routes, type Path } from '../../navigation/routes.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon, type IconName } from '../../ui/picture/icon.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { AccountFigures } from './account-figures.tsx'
import { LendingFigures } from './lending-figures.tsx'
import { useOrderPolling, useSettledOrders } from '../../payment/order-polling.ts'
import './user.css'

/** An order that waits for its payment, or a payment that waits for its confirmations. */
function NextStep() {
  const { t } = useTranslation()
  const pollMs = useOrderPolling()
  const { data } = useRead('GET power/orderList', { limit: '10' }, { pollMs: (list) => pollMs(list?.items ?? []) })
  useSettledOrders(data?.items)
  const open =
    data?.items.find(({ state }) => state === 'confirming') ?? data?.items.find(({ state }) => state === 'pending')
  if (open === undefined) return null
  const { payment } = open
  return (
    <RouteLink to="/order" className="next-step">
      <Icon name={payment === null ? 'order' : 'clock'} />
      <span>
        {payment === null
          ? t('home.order.pending')
          : t('home.order.confirming', { done: payment.confirmations, needed: payment.confirmationsNeeded })}
      </span>
      <Icon name="forward" size={18} />
    </RouteLink>
  )
}

const links: readonly [Path, IconName][] = [
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
  ['/solvency', 'solvency'],
]

/** Home with a session: the account's figures, the next step if there is one, and links to every screen. */
export default function User() {
  const { t } = useTranslation()
  const info = useRead('GET user/info', {}, { pollMs: () => 30_000 })
  const overview = useRead('GET home/overview', {}, { pollMs: () => 30_000 })
  return (
    <div className="user">
      <h1 className="visually-hidden">{t('route.home')}</h1>
      <QueryView query={info} loading={<AccountFigures info={undefined} />}>
        {(data) => <AccountFigures info={data} />}
      </QueryView>
      <NextStep />
      <LendingFigures query={overview} />
      <section aria-labelledby="everything">
        <h2 id="everything">{t('home.everything')}</h2>
        <nav className="everything" aria-labelledby="everything">
          {links.map(([path, icon]) => (
            <RouteLink key={path} to={path}>
              <Icon name={icon} size={24} />
              <span>{t(routes[path].title)}</span>
            </RouteLink>
          ))}
        </nav>
      </section>
    </div>
  )
}
