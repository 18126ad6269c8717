import { OperatorError } from '../../kernel/errors.ts'

const MAX_LENGTH = 500

/**
 * Reads the picture of `plan picture` and `project picture`: an https URL that is the same for everybody, or "none". Credentials in it
 * would be shown to every browser.
 * @throws OperatorError
 */
export function readPictureUrl(typed: string): string | null {
  if (typed === 'none') return null
  const url = URL.canParse(typed) ? new URL(typed) : null
  const isPlain =
    url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === ''
  if (!isPlain || url.href.length > MAX_LENGTH)
    throw new OperatorError(
      `the picture must be "none", or an https URL of at most ${MAX_LENGTH} characters without a password or "#"`,
    )
  return url.href
}
