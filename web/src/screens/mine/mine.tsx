import type { Data } from '@candela/protocol/endpoints'
import { mulDiv, toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { useRead } from '../../api/use-read.ts'
import { explainTotal, TotalAmount } from '../../lending/total-assets.tsx'
import { RouteLink } from '../../navigation/route-link.tsx'
import { type Path, routes } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Figure } from '../../ui/amount/figure.tsx'
import { Shares } from '../../ui/chart/shares.tsx'
import { Icon, type IconName } from '../../ui/picture/icon.tsx'
import { PullToRefresh } from '../../ui/list/pull-to-refresh.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Asset } from './asset.tsx'
import { ExchangeUid } from './exchange-uid.tsx'
import './mine.css'

type Info = Data<'GET user/info'>
type Overview = Data<'GET home/overview'>
type Price = Data<'GET user/priceInfo'>['items'][number]

const actions: readonly [Path, IconName][] = [
  ['/deposit', 'deposit'],
  ['/withdrawal', 'withdrawal'],
  ['/transfer', 'transfer'],
  ['/exchange', 'exchange'],
]

const records: readonly [Path, IconName][] = [
  ['/statement', 'statement'],
  ['/incomeList', 'incomeList'],
  ['/hashList', 'hashList'],
  ['/order', 'order'],
  ['/exchangeList', 'exchangeList'],
  ['/list', 'list'],
  ['/invitation', 'invitation'],
  ['/notices', 'bell'],
  ['/devices', 'device'],
]

/** All that is one's own: each asset with what it is worth and why, and what can be done with it. */
export default function Mine({ path }: { path: Path }) {
  const info = useRead('GET user/info', {}, { pollMs: () => 15_000 })
  const prices = useRead('GET user/priceInfo', {}, { pollMs: () => 30_000 })
  const overview = useRead('GET home/overview', {}, { pollMs: () => 30_000 })
  const refresh = () => Promise.all([info.refetch(), prices.refetch(), overview.refetch()])
  return (
    <Screen path={path}>
      <PullToRefresh refresh={refresh}>
        <Total overview={overview.data} isFailed={overview.isError} />
        <QueryView query={info} loading={<Account info={undefined} prices={prices.data?.items} />}>
          {(data) => <Account info={data} prices={prices.data?.items} />}
        </QueryView>
      </PullToRefresh>
    </Screen>
  )
}

/** Undefined while it is being fetched. */
type AccountProps = { info: Info | undefined; prices: readonly Price[] | undefined }

function Account({ info, prices }: AccountProps) {
  const { t } = useTranslation()
  return (
    <div className="mine">
      <nav className="mine-actions" aria-label={t('mine.actions')}>
        {actions.map(([path, icon]) => (
          <RouteLink key={path} to={path}>
            <span className="mine-action-icon">
              <Icon name={icon} size={22} />
            </span>
            <span>{t(routes[path].title)}</span>
          </RouteLink>
        ))}
      </nav>
      <section aria-labelledby="mine-assets">
        <h2 id="mine-assets">{t('mine.assets')}</h2>
        <Shares label={t('mine.shares')} parts={worthOf(info, prices)} />
        <ul className="mine-assets">
          {info === undefined
            ? [0, 1, 2].map((each) => (
                <li key={each}>
                  <Skeleton width="100%" height={64} />
                </li>
              ))
            : info.balances.map((balance) => (
                <li key={balance.asset}>
                  <Asset balance={balance} price={prices?.find(({ asset }) => asset === balance.asset)} />
                </li>
              ))}
        </ul>
      </section>
      <section aria-labelledby="mine-records">
        <h2 id="mine-records">{t('mine.records')}</h2>
        <nav className="mine-records" aria-labelledby="mine-records">
          {records.map(([path, icon]) => (
            <RouteLink key={path} to={path}>
              <Icon name={icon} size={22} />
              <span>{t(routes[path].title)}</span>
              <Icon name="forward" size={16} />
            </RouteLink>
          ))}
        </nav>
        {info !== undefined && <ExchangeUid uid={info.juUid} />}
      </section>
    </div>
  )
}

/** Lists what each balance is worth by its average price; a balance without a price is left out. */
const worthOf = (info: AccountProps['info'], prices: AccountProps['prices']) =>
  (info?.balances ?? []).flatMap(({ asset, available, held }) => {
    const average = prices?.find((price) => price.asset === asset)?.average ?? null
    const all = toBaseUnits(available) + toBaseUnits(held)
    return average === null ? [] : [{ label: asset, value: mulDiv(all, toBaseUnits(average), WHOLE_UNIT) }]
  })

/** The same total as at home, loans and fund included. */
function Total({ overview, isFailed }: { overview: Overview | undefined; isFailed: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="mine-total">
      <Figure
        size="hero"
        label={t('loans.totalAssets')}
        value={
          overview === undefined
            ? isFailed
              ? null
              : undefined
            : overview.totalAssets && <TotalAmount total={overview.totalAssets} />
        }
        absent={overview === undefined ? '—' : t('mine.noTotal')}
        from={overview && explainTotal(t, overview)}
      />
    </div>
  )
}
