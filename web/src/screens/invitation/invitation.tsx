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
import { Button } from '../../ui/control/button.tsx'
import { copyText } from '../../ui/control/copy.tsx'
import { QrPicture } from '../../ui/picture/qr.tsx'
import './invitation.css'

/** The link that fills the code in at the first sign-in of a person who follows it. */
const invitationLink = (origin: string, code: string): string => `${origin}/#/index?code=${encodeURIComponent(code)}`

function OwnCode({ code }: { code: string }) {
  const { t } = useTranslation()
  const link = invitationLink(window.location.origin + window.location.pathname.replace(/\/+$/, ''), code)
  const canShare = typeof navigator.share === 'function'
  const share = () => {
    // Closing the share sheet rejects as well; there is nothing to say about it.
    navigator.share({ text: t('friends.shareText', { code }), url: link }).catch(() => undefined)
  }
  return (
    <section className="own-code" aria-label={t('friends.code')}>
      <span className="figure-label">{t('friends.code')}</span>
      <p className="own-code-text">{code}</p>
      <QrPicture text={link} label={t('friends.qr')} />
      <p className="own-code-link">{link}</p>
      <div className="own-code-actions">
        <Button look="primary" block onClick={() => (canShare ? share() : void copyText(link))}>
          {canShare ? t('friends.share') : t('friends.copyLink')}
        </Button>
        <div className="own-code-pair">
          {canShare && <Button onClick={() => void copyText(link)}>{t('friends.copyLink')}</Button>}
          <Button onClick={() => void copyText(code)}>{t('friends.copyCode')}</Button>
        </div>
      </div>
    </section>
  )
}

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
