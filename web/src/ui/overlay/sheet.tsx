import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../picture/icon.tsx'
import { FailureGroup } from '../state/said-once.tsx'
import { holdPage, registerOverlay } from './overlays.ts'
import { raiseToast, ToastInSheet } from './toast.tsx'

/** Above the keyboard of a phone on its side there is no room for a title, a field and a button, in CSS pixels. */
const LOW = 300

/** Beyond this a page is magnified by two fingers, and what is seen of it says nothing of a keyboard. */
const MAGNIFIED = 1.01

/**
 * Keeps a sheet and the field that is typed into above a keyboard that lies over the page, as on iOS and in Chromium from 108 on. Where
 * the keyboard makes the page smaller instead, only the field has to be scrolled to.
 * @returns what ends it
 */
function stayAboveKeyboard(sheet: HTMLElement): () => void {
  const viewport = window.visualViewport
  if (viewport === null || viewport === undefined) return () => undefined
  const place = () => {
    const { height, offsetTop, scale } = viewport
    // Browsers differ in which of the two counts their bars.
    const page = Math.max(window.innerHeight, document.documentElement.clientHeight)
    sheet.toggleAttribute('data-low', height * scale < LOW)
    const covered = scale > MAGNIFIED ? 0 : page - offsetTop - height
    if (covered >= 1) {
      sheet.style.setProperty('--covered', `${covered}px`)
      sheet.style.setProperty('--visible', `${height}px`)
    } else for (const name of ['--covered', '--visible']) sheet.style.removeProperty(name)
  }
  const placeAndScroll = () => {
    place()
    const field = document.activeElement
    if (field?.matches('input, textarea') === true && sheet.contains(field)) field.scrollIntoView({ block: 'nearest' })
  }
  place()
  viewport.addEventListener('resize', placeAndScroll)
  viewport.addEventListener('scroll', place)
  return () => {
    viewport.removeEventListener('resize', placeAndScroll)
    viewport.removeEventListener('scroll', place)
  }
}

type Props = {
  open: boolean
  title: string
  children: ReactNode
  /** Actions at the lower edge, within the thumb's reach. */
  footer?: ReactNode
  /** A sheet rises from below; a dialog stands in the middle and asks for an answer. */
  kind?: 'sheet' | 'dialog'
} & (
  | { onClose: () => void; persistent?: false }
  /** Persistent: neither Escape nor a tap beside it nor a navigation closes it. */
  | { persistent: true; onClose?: undefined }
)

/**
 * The browser's own modal dialog: it keeps the focus, gives it back, makes the rest inert and lies in the top layer.
 * Leaving the screen closes it, because effects end when an `<Activity>` hides.
 */
export function Sheet({ open, title, children, footer, kind = 'sheet', onClose, persistent = false }: Props) {
  const { t } = useTranslation()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  useEffect(() => {
    const element = dialog.current
    if (element === null || !open) return undefined
    element.showModal()
    const release = holdPage()
    const unfollow = stayAboveKeyboard(element)
    raiseToast()
    const forget = persistent ? undefined : registerOverlay(() => close.current?.())
    return () => {
      forget?.()
      unfollow()
      release()
      element.close()
    }
  }, [open, persistent])

  // Browsers keep where it was scrolled to when it was closed.
  useEffect(() => {
    if (open) dialog.current?.querySelector('.sheet-content')?.scrollTo(0, 0)
  }, [open])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the tap beside the sheet is an extra: Escape and the close button do the same
    <dialog
      ref={dialog}
      className={kind}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClose={() => {
        // Closed past us: a back gesture, or Escape pressed twice. What must stand is put up again. The event comes late:
        // when it is up again already, as after a change of `persistent`, there is nothing to do.
        if (!open || dialog.current?.open === true) return
        if (persistent) dialog.current?.showModal()
        else onClose?.()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose?.()
      }}
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 id={titleId}>{title}</h2>
          {onClose !== undefined && (
            <button type="button" className="icon-button" onClick={onClose} aria-label={t('ui.close')}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is scrolled with the keyboard too */}
        <section className="sheet-content" aria-labelledby={titleId} tabIndex={0}>
          <FailureGroup>{children}</FailureGroup>
        </section>
        {footer !== undefined && <div className="sheet-foot">{footer}</div>}
        {open && <ToastInSheet />}
      </div>
    </dialog>
  )
}
