// oxlint-disable-next-line import/no-unassigned-import -- a stylesheet has nothing to assign
import './demo-wallet.css'

/** A sheet of the wallet's own, made by hand: it must not depend on the page that it guards. */

type Child = Node | string | null

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== null))
  return element
}

/** Label and value of a list; a long value breaks rather than hides its middle. */
export const row = (label: string, value: Child, small = false): HTMLElement =>
  el('div', { class: small ? 'dw-row dw-small' : 'dw-row' }, el('dt', {}, label), el('dd', {}, value))

let shown = 0

type SheetOptions<T> = {
  mark: string
  title: string
  content: Child[]
  /** The button that refuses, also pressed by Escape. */
  out: { label: string; value: T }
  /** The button that agrees; left out where there is nothing to agree to. */
  main?: { label: string; value: () => T }
  /** Values that controls inside the sheet answer with. */
  answers?: (answer: (value: T) => void) => void
}

/** Shows a modal sheet until it has been answered. */
export function askInSheet<T>({ mark, title, content, out, main, answers }: SheetOptions<T>): Promise<T> {
  return new Promise((resolve) => {
    const titleId = `dw-title-${(shown += 1)}`
    const outButton = el('button', { type: 'button', class: 'dw-button' }, out.label)
    const foot = el('footer', { class: 'dw-foot' }, outButton)
    const dialog = el(
      'dialog',
      { class: 'dw-sheet', 'aria-labelledby': titleId },
      el(
        'div',
        // The sheet itself gets the focus, so that one accidental key press answers nothing.
        { class: 'dw-body', tabindex: '-1', autofocus: '' },
        el('p', { class: 'dw-mark' }, mark),
        el('h2', { id: titleId }, title),
        el('div', { class: 'dw-content' }, ...content),
        foot,
      ),
    )
    const answer = (value: T) => {
      dialog.close()
      dialog.remove()
      resolve(value)
    }
    if (main !== undefined) {
      const mainButton = el('button', { type: 'button', class: 'dw-button dw-main' }, main.label)
      mainButton.addEventListener('click', () => answer(main.value()))
      foot.append(mainButton)
    }
    outButton.addEventListener('click', () => answer(out.value))
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      answer(out.value)
    })
    answers?.(answer)
    document.body.append(dialog)
    dialog.showModal()
  })
}
