import { useEffect, type ReactNode } from 'react'
import { ApiError, TransportError } from '@candela/client/errors'
import type { Translate } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../control/button.tsx'
import { closeToast } from '../overlay/toast.tsx'
import { Icon, type IconName } from '../picture/icon.tsx'
import { SaidOnce } from './said-once.tsx'

type StateProps = { icon: IconName; title: string; text?: string; action?: ReactNode; alert?: boolean }

/** A screen or a part of one that has nothing to show: a picture, a sentence, and what can be done. */
export const StateView = ({ icon, title, text, action, alert = false }: StateProps) => (
  <div className="state" role={alert ? 'alert' : undefined}>
    <span className="state-icon">
      <Icon name={icon} size={28} />
    </span>
    <p className="state-title">{title}</p>
    {text !== undefined && <p className="state-text">{text}</p>}
    {action}
  </div>
)

/** A failed read: the server's message if it has answered, else why there was no answer. */
export function FailedView({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation()
  const reason = reasonOf(error, t)
  // Said once: here, where it stays.
  useEffect(() => closeToast(reason), [reason])
  return (
    <SaidOnce reason={reason} retry={retry}>
      {(retryAll) => (
        <StateView
          alert
          icon="alert"
          title={t('state.failed')}
          text={reason}
          action={<Button onClick={retryAll}>{t('ui.retry')}</Button>}
        />
      )}
    </SaidOnce>
  )
}

function reasonOf(error: unknown, t: Translate): string {
  if (error instanceof ApiError) return error.message
  return error instanceof TransportError ? t(`http.${error.problem}`) : t('state.failedText')
}

/** No connection, and nothing kept from before. */
export function OfflineView() {
  const { t } = useTranslation()
  const text = t('state.offlineText')
  // Waiting reads go on by themselves.
  return (
    <SaidOnce reason={text} retry={() => undefined}>
      {() => <StateView icon="offline" title={t('state.offline')} text={text} />}
    </SaidOnce>
  )
}
