import type { Data } from '@candela/protocol/endpoints'
import { languageTag, textIn } from '@candela/protocol/language'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { Shares } from '../../ui/chart/shares.tsx'
import { formatCount, formatDay, formatTime } from '../../lib/format.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import './power-log.css'

type Change = Data<'GET user/powerLog'>['items'][number]

/** Every change of the account's power: what it was, by how much, the power after it, and the order behind it. */
export default function PowerLog({ path }: { path: Path }) {
  const { t } = useTranslation()
  const changes = useReadPages('GET user/powerLog', {})
  const newest = changes.data?.pages[0]?.items[0]
  return (
    <Screen path={path}>
      {newest !== undefined && (
        <div className="hash-now">
          <Figure
            size="large"
            label={t('hash.now')}
            value={<Amount value={String(newest.total)} unit={newest.unit} />}
            from={{ title: t('hash.now'), text: t('hash.nowFrom') }}
          />
        </div>
      )}
      <ByPlan />
      <PagedList query={changes} keyOf={({ id }) => id} itemHeight={104} empty={<NoPower />}>
        {(change) => <ChangeRow change={change} />}
      </PagedList>
    </Screen>
  )
}

/** Shows which plans the power is in, as it was for the newest output. */
function ByPlan() {
  const { t, language } = useTranslation()
  const newest = useRead('GET user/incomeList', { type: 'output', limit: '1' }).data?.items[0]
  const plans = useRead('GET power/day', { day: newest?.day ?? '' }, { enabled: newest?.day !== undefined }).data
  if (newest === undefined || newest.day === null || plans === undefined) return null
  const nameOf = (id: string) => {
    const plan = plans.plans.find(({ planId }) => planId === id)
    return plan === undefined ? id : textIn(plan.planName, language)
  }
  const label = t('hash.byPlan', { day: formatDay(newest.day, languageTag[language]) })
  return (
    <section className="hash-plans">
      <h2>{label}</h2>
      <Shares
        label={label}
        parts={newest.units.map(({ planId, units }) => ({
          label: nameOf(planId),
          value: BigInt(units),
          text: `${formatCount(units)} ${plans.unit}`,
        }))}
      />
    </section>
  )
}

function ChangeRow({ change }: { change: Change }) {
  const { t, language } = useTranslation()
  const router = useRouter()
  const network = useRead('GET home/public', {}).data?.network
  const { id, kind, orderNo, planName, unit, units, total, at, txHash } = change
  return (
    <article className="hash-change" data-change={id} data-kind={kind}>
      <header className="hash-line">
        <h2>{t(`hash.${kind}`)}</h2>
        <span className="hash-units">
          {units > 0 && '+'}
          <Amount value={String(units)} unit={unit} />
        </span>
      </header>
      <p className="hash-line muted small">
        <span>{textIn(planName, language)}</span>
        <span>{t('hash.after', { total: `${total} ${unit}` })}</span>
      </p>
      <p className="hash-line muted small">
        <time dateTime={at}>{formatTime(at, languageTag[language])}</time>
        {txHash !== null && <ChainLink kind="transaction" value={txHash} what={t('hash.payment')} network={network} />}
      </p>
      <button type="button" className="hash-order" onClick={() => router.go('/order', { no: orderNo })}>
        <span>{t('hash.order', { no: orderNo })}</span>
        <Icon name="forward" size={16} />
      </button>
    </article>
  )
}

function NoPower() {
  const { t } = useTranslation()
  return (
    <StateView
      icon="hashList"
      title={t('hash.none')}
      text={t('hash.noneText')}
      action={
        <RouteLink to="/computing" className="button hash-buy">
          {t('home.buy')}
        </RouteLink>
      }
    />
  )
}
