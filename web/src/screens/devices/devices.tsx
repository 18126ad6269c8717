import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/use-read.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../../ui/control/button.tsx'
import { deviceName } from '../../session/device-name.ts'
import { formatCount, formatTime } from '../../lib/format.ts'
import { PullToRefresh } from '../../ui/list/pull-to-refresh.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import './devices.css'

type Session = Data<'GET auth/sessions'>['items'][number]

/** The devices that are signed in, and the way to sign each of them out. */
export default function Devices({ path }: { path: Path }) {
  const { t } = useTranslation()
  return (
    <Screen path={path}>
      <p className="muted">{t('device.lead')}</p>
      <Sessions />
    </Screen>
  )
}

function Sessions() {
  const sessions = useRead('GET auth/sessions', {}, { pollMs: () => 30_000 })
  const loading = (
    <div className="list" aria-busy="true">
      <Skeleton width="100%" height={84} />
      <Skeleton width="100%" height={84} />
    </div>
  )
  return (
    <QueryView query={sessions} loading={loading}>
      {({ items }) => <SessionList items={items} refetch={sessions.refetch} />}
    </QueryView>
  )
}

function SessionList({ items, refetch }: { items: readonly Session[]; refetch: () => Promise<unknown> }) {
  const { t } = useTranslation()
  /** The session being ended; 'others' for all of them. */
  const [ending, setEnding] = useState<string | null>(null)
  const end = async (which: string) => {
    setEnding(which)
    try {
      const { ended } = await call('POST auth/revoke', which === 'others' ? { others: '1' } : { id: which })
      showToast('done', which === 'others' ? t('device.endedCount', { count: formatCount(ended) }) : t('device.ended'))
    } catch {
      // The call has shown why; the list shows what is signed in now.
    }
    await refetch()
    setEnding(null)
  }
  const [mine, others] = [items.filter(({ current }) => current), items.filter(({ current }) => !current)]
  return (
    <PullToRefresh refresh={refetch}>
      <ul className="devices">
        {[...mine, ...others].map((session) => (
          <li key={session.id}>
            <Device
              session={session}
              busy={ending === session.id}
              onEnd={ending === null ? () => void end(session.id) : undefined}
            />
          </li>
        ))}
      </ul>
      {others.length === 0 ? (
        <p className="muted">{t('device.none')}</p>
      ) : (
        <Button
          block
          busy={ending === 'others'}
          disabled={ending !== null && ending !== 'others'}
          onClick={() => void end('others')}
        >
          {t('device.endOthers')}
        </Button>
      )}
    </PullToRefresh>
  )
}

type DeviceProps = { session: Session; busy: boolean; onEnd: (() => void) | undefined }

function Device({ session: { current, userAgent, signedInAt, seenAt }, busy, onEnd }: DeviceProps) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const device = deviceName(userAgent, t)
  return (
    <article className="device" data-current={current || undefined}>
      <h2 title={userAgent}>{device}</h2>
      <p>{t('device.signedIn', { time: formatTime(signedInAt, tag) })}</p>
      {current ? (
        <span className="device-this">{t('device.this')}</span>
      ) : (
        <>
          <p>{t('device.seen', { time: formatTime(seenAt, tag) })}</p>
          <Button
            look="text"
            busy={busy}
            disabled={onEnd === undefined}
            aria-label={t('device.endWhat', { device })}
            onClick={onEnd}
          >
            {t('device.end')}
          </Button>
        </>
      )}
    </article>
  )
}
