/** A rectangle of the screen, in CSS pixels. */
export type Box = { left: number; top: number; bottom: number }

type Size = { width: number; height: number }

/** Along the anchor's edge, and away from it. */
export const POPOVER_OFFSET = [0, 8] as const

/** Kept free at the edges of the screen. */
const MARGIN = 8

/** Where a popover stands: below its anchor, above it where there is no room below, and always on the screen. */
export function popoverPlace(anchor: Box, popover: Size, screen: Size): { left: number; top: number } {
  const [along, away] = POPOVER_OFFSET
  const below = anchor.bottom + away
  const above = anchor.top - away - popover.height
  const fitsBelow = below + popover.height + MARGIN <= screen.height
  const left = Math.min(anchor.left + along, screen.width - popover.width - MARGIN)
  return { left: Math.max(MARGIN, left), top: fitsBelow || above < MARGIN ? below : above }
}
