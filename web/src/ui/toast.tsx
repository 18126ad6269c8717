import { useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { createStore, useStore } from './store.ts'

export type ToastKind = 'plain' | 'loading' | 'done' | 'error'
type Toast = { kind: ToastKind; text: string; id: number }

const SHOWN_MS = 3_200

const current = createStore<Toast | null>(null)
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** One toast at a time; a newer one takes the place of the older. `loading` stays until the next or until `closeToast`. */
export function showToast(kind: ToastKind, text: string): void {
  clearTimeout(timer)
  lastId += 1
  current.set({ kind, text, id: lastId })
  if (kind !== 'loading') timer = setTimeout(closeToast, SHOWN_MS)
}

export function closeToast(): void {
  clearTimeout(timer)
  current.set(null)
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
