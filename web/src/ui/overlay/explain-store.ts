import type { ReactNode } from 'react'
import { createStore } from '../../lib/store.ts'

/** Where a figure comes from: a sentence, and the inputs that it can be recomputed with. */
export type Explanation = {
  title: string
  value?: ReactNode
  text: string
  inputs?: readonly { label: string; value: ReactNode }[]
}

type Shown = Explanation & {
  /** The element that was tapped, where a short explanation may stand beside it; else null, and it comes as a sheet. */
  anchor: HTMLElement | null
}

export const explanation = createStore<Shown | null>(null)

/** From here on there is room beside what was tapped, as in the style sheets. */
const WIDE = '(min-width: 768px)'

export const explain = (next: Explanation): void => {
  const isShort = next.value === undefined && next.inputs === undefined
  // The tapped element has the focus, but in a browser that gives buttons none: there it stays a sheet.
  const tapped = document.activeElement
  const hasPopovers = typeof HTMLElement.prototype.showPopover === 'function'
  const isBeside = isShort && hasPopovers && tapped instanceof HTMLButtonElement && window.matchMedia(WIDE).matches
  explanation.set({ ...next, anchor: isBeside ? tapped : null })
}
