/** A node as the settings name it. The provider is who runs it, in the operator's words. */
export type NodeAddress = { url: string; provider: string | null }

/** The host of a URL, and its port where it is not the usual one. It holds no key of a provider. */
export const nameOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'no URL')

const parts = (text: string): string[] => text.split(',').map((part) => part.trim())

/**
 * Reads `RPC_URL`, one URL or several with commas between them, and `RPC_PROVIDERS`, a name for each.
 * @param apart by what nodes have to differ: nodes agree where money is decided, so one machine must not be two of them
 * @returns what is wrong, in one line that names the setting
 */
export function nodeAddresses(
  urls: string,
  providers: string | undefined,
  apart: 'host' | 'hostname',
): readonly [NodeAddress, ...NodeAddress[]] | string {
  const names = providers === undefined ? [] : parts(providers)
  const nodes = parts(urls).map((url, index): NodeAddress => ({ url, provider: names[index] ?? null }))
  const [first, ...others] = nodes
  if (first === undefined || !nodes.every(({ url }) => isHttp(url)))
    return 'RPC_URL must begin with http:// or https://, or be such URLs separated by commas'
  if (new Set(nodes.map(({ url }) => new URL(url)[apart])).size < nodes.length)
    return 'RPC_URL must name nodes on different hosts'
  if (providers !== undefined && (names.length !== nodes.length || names.includes('')))
    return 'RPC_PROVIDERS must name one provider for each node of RPC_URL, separated by commas'
  return [first, ...others]
}

const isHttp = (url: string): boolean => URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
