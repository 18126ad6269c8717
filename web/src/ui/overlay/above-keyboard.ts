/** Above the keyboard of a phone on its side there is no room for a title, a field and a button, in CSS pixels. */
const LOW = 300

/** Beyond this a page is magnified by two fingers, and what is seen of it says nothing of a keyboard. */
const MAGNIFIED = 1.01

/**
 * Keeps a sheet and the field that is typed into above a keyboard that lies over the page, as on iOS and in Chromium from 108 on. Where
 * the keyboard makes the page smaller instead, only the field has to be scrolled to.
 * @returns what ends it
 */
export function stayAboveKeyboard(sheet: HTMLElement): () => void {
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
