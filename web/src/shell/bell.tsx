import { useRead } from '../api/use-read.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Icon } from '../ui/picture/icon.tsx'
import { useStore } from '../lib/store.ts'
import { useApp } from '../session/app-context.tsx'

const POLL_MS = 30_000

/** How many notices wait to be read, and the way to them; only for who is signed in. */
export function Bell() {
  const { t } = useTranslation()
  const { router, session } = useApp()
  const { token } = useStore(session)
  const { data } = useRead('GET notice/list', { limit: '1' }, { enabled: token !== '', pollMs: () => POLL_MS })
  if (token === '') return null
  const unread = data?.unread ?? 0
  return (
    <button
      type="button"
      className="icon-button bell"
      aria-label={unread === 0 ? t('notice.bell') : t('notice.bellUnread', { count: unread })}
      onClick={() => router.go('/notices')}
    >
      <Icon name="bell" />
      {unread > 0 && <span className="bell-count">{unread > 99 ? '99+' : unread}</span>}
    </button>
  )
}
