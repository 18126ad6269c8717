import { languageTag } from '@candela/protocol/language'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate, setRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../../ui/control/button.tsx'
import { formatCount, formatTime } from '../../lib/format.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { describeNotice, type Notice } from './describe.ts'
import './notices.css'

/** The list and the count in the header are asked again. */
const refreshNotices = () => invalidate('GET notice/list')

/** Lists what happened to the account and its money, newest first; a tap reads it and goes to what it is about. */
export default function Notices({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const notices = useReadPages('GET notice/list', {}, () => 30_000)
  const newest = notices.data?.pages[0]
  const unread = newest?.unread
  // The bell in the header asks for the same with a page of one line.
  useEffect(() => {
    if (newest !== undefined) setRead('GET notice/list', { limit: '1' }, newest)
  }, [newest])
  const readAll = async () => {
    setBusy(true)
    // A failure was shown by the call; the marks stay, and the button too.
    await call('POST notice/read', { all: '1' }).then(refreshNotices, () => undefined)
    setBusy(false)
  }
  return (
    <Screen path={path}>
      {unread !== undefined && (newest?.items.length ?? 0) > 0 && (
        <div className="notices-head">
          <span className="muted">
            {unread === 0
              ? t('notice.allRead')
              : t('notice.unread', { count: unread > 99 ? '99+' : formatCount(unread) })}
          </span>
          {unread > 0 && (
            <Button look="text" busy={busy} onClick={() => void readAll()}>
              {t('notice.readAll')}
            </Button>
          )}
        </div>
      )}
      <PagedList
        query={notices}
        keyOf={({ id }) => id}
        itemHeight={88}
        empty={<StateView icon="bell" title={t('notice.empty')} text={t('notice.emptyText')} />}
      >
        {(notice) => <Item notice={notice} />}
      </PagedList>
    </Screen>
  )
}

function Item({ notice }: { notice: Notice }) {
  const { t, language } = useTranslation()
  const router = useRouter()
  const tag = languageTag[language]
  const { title, text, to, query, quote } = describeNotice(notice, t, tag)
  const open = () => {
    // Going on does not wait for the mark; one that could not be set stays unread.
    if (!notice.read)
      call('POST notice/read', { id: notice.id }, { transportInPlace: true }).then(refreshNotices, () => undefined)
    router.go(to, query)
  }
  return (
    <button
      type="button"
      className="notice"
      data-notice={notice.kind}
      data-unread={!notice.read || undefined}
      onClick={open}
    >
      <span className="notice-title">
        {title}
        {!notice.read && <span className="visually-hidden">{t('notice.new')}</span>}
      </span>
      <span className="notice-text">{text}</span>
      {quote !== undefined && <q className="notice-quote">{quote}</q>}
      <time dateTime={notice.at}>{formatTime(notice.at, tag)}</time>
    </button>
  )
}
