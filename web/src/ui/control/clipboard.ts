/**
 * Puts a text on the clipboard. Browsers inside apps often have the clipboard of scripts and refuse it, or have none, and still copy what
 * is selected. @returns false where nothing was copied
 */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;opacity:0'
  // An element behind an open dialog cannot be selected.
  const place = before?.closest('dialog') ?? document.body
  place.append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
