import { useEffect, useRef } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../picture/icon.tsx'
import { createStore, useStore } from '../../lib/store.ts'

export type ToastKind = 'plain' | 'loading' | 'done' | 'error'
/** The act that can be done about it right there, such as to stop waiting. */
type ToastAction = { label: string; run: () => void }
type ToastOptions = {
  action?: ToastAction
  /** It matters, so it stays until it was closed or something newer is said. */
  stays?: boolean
}
type Toast = ToastOptions & { kind: ToastKind; text: string; id: number }

/** How long a toast stays: time to notice it and to read it, in milliseconds. */
const NOTICE_MS = 1_500
const READ_MS = 60
const SHORTEST_MS = 3_200
const LONGEST_MS = 10_000

/** A Chinese character takes about as long to read as three letters. */
export function shownMs(text: string): number {
  const wide = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, NOTICE_MS + (text.length + 2 * wide) * READ_MS))
}

const current = createStore<Toast | null>(null)
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** One toast at a time; a newer one takes the place of the older. `loading` stays until the next or until `closeToast`. */
export function showToast(kind: ToastKind, text: string, options: ToastOptions = {}): void {
  clearTimeout(timer)
  lastId += 1
  current.set({ ...options, kind, text, id: lastId })
  if (kind !== 'loading' && options.stays !== true) timer = setTimeout(() => closeToast(), shownMs(text))
}

/** With a text only where it says that. */
export function closeToast(text?: string): void {
  if (text !== undefined && current.get()?.text !== text) return
  clearTimeout(timer)
  current.set(null)
}

/** Puts what is shown above a sheet that has just been opened: the top layer is ordered by time. */
export function raiseToast(): void {
  const toast = current.get()
  if (toast === null) return
  lastId += 1
  current.set({ ...toast, id: lastId })
}

/** Only a popover lies above an open sheet. */
const hasPopovers = () => typeof HTMLElement.prototype.showPopover === 'function'

/**
 * Inside of an open sheet: the toast for those who listen, and what can be done about it, because everything outside of it is inert. In a
 * browser without popovers also for those who look.
 */
export function ToastInSheet() {
  const toast = useStore(current)
  return (
    <>
      <p
        className={hasPopovers() || toast === null ? 'visually-hidden' : 'toast-in-sheet'}
        data-kind={toast?.kind}
        aria-live="assertive"
      >
        {toast?.text}
      </p>
      {toast?.action !== undefined && (
        <div className="sheet-foot">
          <ActionButton action={toast.action} />
        </div>
      )}
    </>
  )
}

const ActionButton = ({ action }: { action: ToastAction }) => (
  <button type="button" className="button toast-action" onClick={action.run}>
    {action.label}
  </button>
)

/** A toast that lies over the page for long takes its place, so that nothing is covered which cannot be moved out from under it. */
const PLACE = '--toast-place'

/** Lives once, at the root. A popover, because only the top layer is above an open sheet. */
export function ToastHost() {
  const toast = useStore(current)
  const { t } = useTranslation()
  const host = useRef<HTMLDivElement>(null)
  const id = toast?.id ?? 0
  const stays = toast?.stays === true
  const takesPlace = stays || toast?.kind === 'loading'
  useEffect(() => {
    const element = host.current
    if (element === null || id === 0) return undefined
    // Taken out and put back, so that it comes to lie above a sheet that was opened after the last toast.
    if (!hasPopovers()) return undefined
    element.showPopover()
    return () => element.hidePopover()
  }, [id])
  useEffect(() => {
    const { style } = document.documentElement
    if (takesPlace && id !== 0 && host.current !== null) style.setProperty(PLACE, `${host.current.offsetHeight + 16}px`)
    return () => void style.removeProperty(PLACE)
  }, [id, takesPlace])
  return (
    // There before the first toast is: only what changes in it is read out.
    <div aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'}>
      <div
        ref={host}
        popover="manual"
        className="toast"
        data-shown={toast !== null || undefined}
        data-kind={toast?.kind}
      >
        {toast !== null && (
          <>
            {toast.kind === 'loading' && <span className="spinner" aria-hidden="true" />}
            {toast.kind === 'done' && <Icon name="check" />}
            {toast.kind === 'error' && <Icon name="alert" />}
            <span className="toast-text">{toast.text}</span>
            {toast.action !== undefined && <ActionButton action={toast.action} />}
            {stays && (
              <button
                type="button"
                className="icon-button toast-close"
                aria-label={t('ui.close')}
                onClick={() => closeToast()}
              >
                <Icon name="close" size={20} />
              </button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
