import type { Data } from '@candela/protocol/endpoints'
import { codeOpensAtTexts } from '@candela/protocol/money/opens-code'
import { languageTag } from '@candela/protocol/language'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import type { Path } from '../../navigation/routes.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatCount, formatDay } from '../../lib/format.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { OwnCode } from './own-code.tsx'
import './invitation.css'

/** One's own code in every form that it can be passed on, and who has come by it. */
export default function Invitation({ path }: { path: Path }) {
  const { t } = useTranslation()
  const info = useRead('GET user/info', {})
  const view = (data?: Data<'GET user/info'>) => (
    <>
      <p className="muted">{t('friends.lead')}</p>
      {data === undefined ? <Skeleton width="100%" height={420} /> : <CodeOrWhy info={data} />}
      <p className="muted small">{t('friends.reward')}</p>
      <Friends count={data?.directReferrals} />
    </>
  )
  return (
    <Screen path={path}>
      <QueryView query={info} loading={view()}>
        {view}
      </QueryView>
    </Screen>
  )
}

/** The own code, or why there is none. */
function CodeOrWhy({ info }: { info: Data<'GET user/info'> }) {
  const { t, language } = useTranslation()
  if (info.invitationCode !== '') return <OwnCode code={info.invitationCode} />
  if (info.invitationState === 'closed')
    return <StateView icon="invitation" title={t('friends.closed')} text={t('friends.closedText')} />
  return (
    <section className="no-code">
      <StateView
        icon="invitation"
        title={t('friends.waits')}
        text={t('friends.waitsText', codeOpensAtTexts)}
        action={
          <RouteLink to="/deposit" className="button no-code-deposit">
            {t('route.deposit')}
          </RouteLink>
        }
      />
      {info.leavesAt !== null && (
        <p className="muted small">
          {t('friends.leaves', { date: formatDay(info.leavesAt.slice(0, 10), languageTag[language]) })}
        </p>
      )}
    </section>
  )
}

function Friends({ count }: { count: number | undefined }) {
  const { t } = useTranslation()
  const friends = useReadPages('GET user/zhiList', {})
  return (
    <section className="friends" aria-labelledby="friends">
      <header className="card-head">
        <h2 id="friends">{t('friends.list')}</h2>
        {count !== undefined && (
          <span className="muted small">{t('friends.count', { count: formatCount(count) })}</span>
        )}
      </header>
      <PagedList
        query={friends}
        keyOf={({ maskedAddress, joinedAt }) => `${maskedAddress} ${joinedAt}`}
        itemHeight={76}
        empty={<StateView icon="invitation" title={t('friends.none')} text={t('friends.noneText')} />}
      >
        {(friend) => <Friend friend={friend} />}
      </PagedList>
    </section>
  )
}

function Friend({ friend }: { friend: Data<'GET user/zhiList'>['items'][number] }) {
  const { t, language } = useTranslation()
  const unit = useRead('GET home/public', {}).data?.unit ?? ''
  const joined = formatDay(friend.joinedAt.slice(0, 10), languageTag[language])
  return (
    <div className="friend">
      <div>
        <code>{friend.maskedAddress}</code>
        <span className="row-note">{t('friends.joined', { date: joined })}</span>
      </div>
      <dl>
        <div>
          <dt>{t('friends.power')}</dt>
          <dd>
            <Amount value={String(friend.activePower)} unit={unit} />
          </dd>
        </div>
        <div>
          <dt>{t('friends.purchases')}</dt>
          <dd>
            <Amount value={friend.purchases} unit="USDT" digits={2} />
          </dd>
        </div>
      </dl>
    </div>
  )
}
