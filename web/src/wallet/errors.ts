/** What went wrong with a wallet, by the kinds that screens distinguish. */
export type WalletErrorKind = 'not-installed' | 'refused' | 'cancelled' | 'wrong-chain' | 'reverted' | 'failed'

export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly kind: WalletErrorKind

  constructor(kind: WalletErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

/** EIP-1193: the person said no. */
const USER_REJECTED = 4001

const wrongChainNames = new Set(['ChainMismatchError', 'ConnectorChainMismatchError', 'ChainDisconnectedError'])

/**
 * Finds the reason of an error from a wallet or a library around it. Wallets put the code in different places, so the
 * whole chain of causes is searched.
 */
export function toWalletError(error: unknown, during: string): WalletError {
  if (error instanceof WalletError) return error
  const links = chainOf(error)
  if (links.some(isRefusal)) return new WalletError('refused', `Refused in the wallet: ${during}`, error)
  if (links.some((link) => wrongChainNames.has(String(link['name']))))
    return new WalletError('wrong-chain', `The wallet is on another chain: ${during}`, error)
  if (links.some((link) => link['name'] === 'ProviderNotFoundError'))
    return new WalletError('not-installed', 'Wallet not installed', error)
  return new WalletError(
    'failed',
    `${during}: ${textOf(links[0]?.['shortMessage']) || textOf(links[0]?.['message']) || String(error)}`,
    error,
  )
}

type Link = Record<string, unknown>

function chainOf(error: unknown): Link[] {
  const links: Link[] = []
  const open: unknown[] = [error]
  while (open.length > 0 && links.length < 12) {
    const next = open.shift()
    if (typeof next !== 'object' || next === null || links.includes(next as Link)) continue
    const link = next as Link
    links.push(link)
    open.push(link['cause'], link['error'], link['data'], link['originalError'])
  }
  return links
}

const isRefusal = (link: Link): boolean =>
  link['code'] === USER_REJECTED ||
  link['code'] === 'ACTION_REJECTED' ||
  /\buser (rejected|denied|cancell?ed)\b/i.test(textOf(link['message']))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
