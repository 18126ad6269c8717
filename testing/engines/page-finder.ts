/* oxlint-disable unicorn/consistent-function-scoping -- what runs inside of the page has nothing around it */
/** Functions that run inside of a page of any engine, so they may use nothing from around it, and nothing newer than the oldest browsers have. */

/** The element that somebody looks for: by its role and its name as it is read out, or by a selector. */
export type Wanted = { role: 'button' | 'link' | 'radio' | 'field'; name: string } | { css: string }

export type Found = { x: number; y: number; isEnabled: boolean; text: string; hit: string | null }

type Element = {
  tagName: string
  textContent: string
  innerText: string
  value?: string
  disabled?: boolean
  labels?: ArrayLike<Element> | null
  parentElement: Element | null
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): ArrayLike<Element>
  getClientRects(): ArrayLike<object>
  getBoundingClientRect(): { left: number; right: number; top: number; bottom: number; width: number; height: number }
  scrollIntoView(options: object): void
  contains(other: Element | null): boolean
  closest(selector: string): Element | null
}
type Page = {
  document: {
    documentElement: Element & { scrollWidth: number; clientWidth: number }
    body: Element
    getAnimations(): ArrayLike<{ playState: string; transitionProperty?: string }>
    activeElement: (Element & { select?(): void }) | null
    querySelectorAll(selector: string): ArrayLike<Element>
    elementFromPoint(x: number, y: number): Element | null
    addEventListener(name: 'click', listener: (event: { target: Element }) => void, options: object): void
  }
  /** Whether a click has reached what was found last; undefined on another page. */
  isTapped?: boolean
  innerWidth: number
  getComputedStyle: (element: Element) => { visibility: string; position: string; overflowX: string; opacity: string }
}

/** The first that can be seen, in the dialog on top where one is open; scrolled into view, with its middle. Null while there is none. */
export function findInPage(wanted: Wanted): Found | null {
  const page = globalThis as unknown as Page
  const { document, getComputedStyle } = page
  const selectors = {
    button: 'button, [role="button"], summary',
    link: 'a[href]',
    radio: 'input[type="radio"]',
    field: 'input, textarea, select',
  }
  const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const labelOf = (element: Element) => Array.from(element.labels ?? []).map((label) => clean(label.textContent))
  const nameOf = (element: Element): string[] => [
    clean(element.getAttribute('aria-label')),
    clean(element.textContent),
    ...labelOf(element),
    ...labelOf(element).map((label) => label.split(' ')[0] ?? ''),
  ]
  const isSeen = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'
  const dialogs = Array.from(document.querySelectorAll('dialog[open]:not([popover])'))
  const root = dialogs.length > 0 ? dialogs[dialogs.length - 1]! : document.body
  const all = Array.from(root.querySelectorAll('css' in wanted ? wanted.css : selectors[wanted.role]))
  const element = all.find((each) => isSeen(each) && ('css' in wanted || nameOf(each).includes(wanted.name)))
  if (element === undefined) return null
  element.scrollIntoView({ block: 'center' })
  const box = element.getBoundingClientRect()
  const x = box.left + box.width / 2
  const y = box.top + box.height / 2
  const top = document.elementFromPoint(x, y)
  const isPartOf = (other: Element) =>
    element.contains(other) || other.contains(element) || other.closest('label') === element.closest('label')
  const isHit = top !== null && isPartOf(top)
  page.isTapped = false
  document.addEventListener('click', ({ target }) => isPartOf(target) && (page.isTapped = true), {
    capture: true,
    once: true,
  })
  const moves = Array.from(document.getAnimations()).some(
    ({ playState, transitionProperty }) => playState === 'running' && transitionProperty !== undefined,
  )
  return {
    x,
    y,
    isEnabled: !moves && element.disabled !== true && element.getAttribute('aria-disabled') !== 'true',
    text: clean(element.innerText || element.value),
    hit: isHit ? null : `${top?.tagName ?? 'nothing'} ${top?.getAttribute('class') ?? ''}`,
  }
}

/** Whether the tap has reached what was found last, or has led to another page. */
export const wasTapped = (): boolean => (globalThis as unknown as Page).isTapped !== false

/** Marks what stands in the field with the focus, so that what is typed replaces it. */
export function selectAll(): void {
  ;(globalThis as unknown as Page).document.activeElement?.select?.()
}

/** Everything that is wider than the screen, or stands beyond its edges. */
export function overflowsInPage(): string[] {
  const { document, innerWidth, getComputedStyle } = globalThis as unknown as Page
  const found: string[] = []
  const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (excess > 0) found.push(`the page is ${excess} px too wide`)
  for (const element of Array.from(document.querySelectorAll('main *, header *, dialog[open] *'))) {
    if (element.getClientRects().length === 0 || getComputedStyle(element).visibility !== 'visible') continue
    if (
      element.closest('.figure-table, [role="radiogroup"], .segmented, .visually-hidden, svg, .slider-picture') !== null
    )
      continue
    const box = element.getBoundingClientRect()
    if (box.width > 1 && box.height > 1 && (box.right > innerWidth + 1 || box.left < -1))
      found.push(`<${element.tagName} ${element.getAttribute('class') ?? ''}> ${element.textContent.slice(0, 40)}`)
  }
  return found
}

/** All that is written on the screen. */
export function textInPage(): string {
  return (globalThis as unknown as Page).document.body.innerText
}
