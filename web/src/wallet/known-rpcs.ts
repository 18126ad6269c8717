import { parseUrl } from '../lib/parse-url.ts'
import { isThisMachine } from '../lib/this-machine.ts'
import { WalletError } from './errors.ts'

const partsOf = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || [])

/** Reads the URLs of a list with commas; null where none were built in, as in a development build. */
export function rpcUrlsOf(text = ''): readonly string[] | null {
  const urls = partsOf(text).map((url) => new URL(url).href)
  return urls.length === 0 ? null : urls
}

/** The same at a build, which checks them. @throws for what is no URL */
export function checkedRpcUrls(text = ''): readonly string[] | null {
  if (!partsOf(text).every((url) => /^https?:$/.test(parseUrl(url)?.protocol ?? '')))
    throw new Error('VITE_RPC_URLS has to be URLs separated by commas')
  return rpcUrlsOf(text)
}

// `import.meta.env` is replaced when the page is built, and is not there where it was not.
export const builtRpcUrls = rpcUrlsOf(import.meta.env?.VITE_RPC_URLS)

/**
 * Requires that what the service names is among what was built in, where something was: whoever has a wallet use its own RPC shows it
 * balances and payments that do not exist. With one of the page's own machine all of that machine are known.
 * @throws WalletError `altered`
 */
export function expectKnownRpcs(known: readonly string[] | null, named: readonly string[]): void {
  if (known === null) return
  const isLocal = known.some((url) => isThisMachine(new URL(url).hostname))
  for (const url of named) {
    const { href, hostname } = parseUrl(url) ?? { href: url, hostname: '' }
    if (!known.includes(href) && !(isLocal && isThisMachine(hostname)))
      throw new WalletError('altered', `The service names ${url} as an RPC`)
  }
}
