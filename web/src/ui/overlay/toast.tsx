import { useEffect, useRef } from 'react'
import { Icon } from '../picture/icon.tsx'
import { createStore, useStore } from '../../lib/store.ts'

export type ToastKind = 'plain' | 'loading' | 'done' | 'error'
type Toast = { kind: ToastKind; text: string; id: number }

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
export function showToast(kind: ToastKind, text: string): void {
  clearTimeout(timer)
  lastId += 1
  current.set({ kind, text, id: lastId })
  if (kind !== 'loading') timer = setTimeout(closeToast, shownMs(text))
}

export function closeToast(): void {
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

/** Says the toast inside of an open sheet, to those who listen: everything outside of it is inert. */
export function ToastLiveText() {
  return (
    <p className="visually-hidden" aria-live="assertive">
      {useStore(current)?.text}
    </p>
  )
}

/** Lives once, at the root. A popover, because only the top layer is above an open sheet. */
export function ToastHost() {
  const toast = useStore(current)
  const host = useRef<HTMLDivElement>(null)
  const id = toast?.id ?? 0
  useEffect(() => {
    const element = host.current
    if (element === null || id === 0) return undefined
    // Taken out and put back, so that it comes to lie above a sheet that was opened after the last toast. A browser
    // without popovers shows it all the same, only not above an open sheet.
    if (typeof element.showPopover !== 'function') return undefined
    element.showPopover()
    return () => element.hidePopover()
  }, [id])
  return (
    <div
      ref={host}
      popover="manual"
      className="toast"
      data-shown={toast !== null || undefined}
      data-kind={toast?.kind}
      role={toast?.kind === 'error' ? 'alert' : 'status'}
    >
      {toast !== null && (
        <>
          {toast.kind === 'loading' && <span className="spinner" aria-hidden="true" />}
          {toast.kind === 'done' && <Icon name="check" />}
          {toast.kind === 'error' && <Icon name="alert" />}
          <span>{toast.text}</span>
        </>
      )}
    </div>
  )
}
