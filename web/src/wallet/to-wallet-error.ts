import { WalletError, type WalletErrorKind } from './errors.ts'

type Link = Record<string, unknown>

/** Marks of a kind: in one link of the chain of causes. Codes are of EIP-1193 and EIP-1474, names of viem and wagmi. */
type Marks = { kind: WalletErrorKind; codes?: readonly unknown[]; names?: readonly string[]; text?: RegExp }

/** In the order in which they decide: a refusal is one whatever else the wallet says beside it. */
const marks: readonly Marks[] = [
  {
    kind: 'refused',
    // From 5000 on those of WalletConnect (CAIP-25).
    codes: [4001, 'ACTION_REJECTED', 5000, 5001, 5002, 5003],
    names: ['UserRejectedRequestError'],
    text: /\b(user|signer) (rejected|denied|cancell?ed|refused|disapproved)\b|\b(rejected|denied|cancell?ed) by (the )?user\b/i,
  },
  {
    kind: 'busy',
    codes: [-32_002],
    names: ['ResourceUnavailableRpcError'],
    text: /request already pending|already processing|pending request/i,
  },
  {
    kind: 'wrong-chain',
    codes: [4901],
    names: ['ChainMismatchError', 'ConnectorChainMismatchError', 'ChainDisconnectedError'],
  },
  {
    kind: 'wrong-account',
    codes: [4100],
    names: ['ConnectorAccountNotFoundError', 'UnauthorizedProviderError'],
    text: /not been authorized|\bwallet (is )?locked\b|unknown account/i,
  },
  {
    kind: 'no-gas',
    names: ['InsufficientFundsError'],
    text: /insufficient (funds|balance)|exceeds (the )?balance|gas required exceeds allowance/i,
  },
  { kind: 'would-revert', codes: [3], names: ['ExecutionRevertedError'], text: /execution reverted|\bvm exception\b/i },
  // Requests and offers to a wallet on another device have five minutes.
  { kind: 'silent', text: /\b(request|proposal) expired\b/i },
  { kind: 'not-installed', names: ['ProviderNotFoundError'] },
]

/**
 * Finds the reason of an error from a wallet or a library around it. Wallets put the code in different places, throw texts
 * and bare objects, and libraries wrap them, so the whole chain of causes is searched.
 */
export function toWalletError(error: unknown, during: string): WalletError {
  if (error instanceof WalletError) return error
  const links = chainOf(error)
  const found = marks.find((mark) => links.some((link) => isMarked(link, mark)))
  if (found !== undefined) return new WalletError(found.kind, `${found.kind}: ${during}`, error)
  const said = textOf(links[0]?.['shortMessage']) || textOf(links[0]?.['message']) || String(error)
  return new WalletError('failed', `${during}: ${said}`, error)
}

const isMarked = (link: Link, { codes = [], names = [], text }: Marks): boolean =>
  codes.includes(link['code']) ||
  names.includes(textOf(link['name'])) ||
  text?.test(`${textOf(link['message'])}\n${textOf(link['details'])}`) === true

function chainOf(error: unknown): Link[] {
  const links: Link[] = []
  const open: unknown[] = [error]
  while (open.length > 0 && links.length < 12) {
    const next = open.shift()
    // Some wallets throw a text.
    const link = typeof next === 'string' && next !== '' ? { message: next } : next
    if (typeof link !== 'object' || link === null || links.includes(link as Link)) continue
    const { cause, error: inner, data, originalError } = link as Link
    links.push(link as Link)
    open.push(cause, inner, typeof data === 'string' ? null : data, originalError)
  }
  return links
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
