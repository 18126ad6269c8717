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
    text: /\b(user|signer) (rejected|denied|cancell?ed|refused|disapproved|closed)\b|\b(rejected|denied|cancell?ed) by (the )?user\b|^\W*(user_)?(cancel(l?ed)?|rejected|denied|refused)\W*$|(用户|用戶|使用者)(已)?(取消|拒绝|拒絕|关闭|關閉)|^\s*(已)?(取消|拒绝|拒絕)(签名|簽名|交易|操作|授权|授權)?\W*$/im,
  },
  {
    kind: 'gone',
    text: /extension context invalidated|receiving end does not exist|message (port|channel) (is )?closed|disconnected (from \w+ background|port)|page reload required/i,
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
  // The errors of tokens (EIP-6093 and the texts before it): their texts have words of those of the native currency in them.
  {
    kind: 'no-token',
    text: /ERC20InsufficientBalance|0xe450d38c|transfer amount exceeds balance|insufficient token balance/i,
  },
  {
    kind: 'no-allowance',
    text: /ERC20InsufficientAllowance|0xfb8f41b2|insufficient allowance|amount exceeds allowance|allowance exceeded/i,
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
  const text = textOf(links[0]?.['shortMessage']) || textOf(links[0]?.['message']) || String(error)
  const isEmpty = links.some((link) => !(link instanceof Error) && Object.keys(link).length === 0)
  const said = saidBy(links)
  return new WalletError(isEmpty && said === null ? 'dismissed' : 'failed', `${during}: ${text}`, error, said)
}

/** Longer ones are dumps. */
const MAX_SAID = 160

/** How much of each text of an error is searched, in characters: the patterns are slow on long ones. */
const MAX_READ = 500

/** The innermost message is the wallet's own, because libraries wrap it. Nothing of theirs, nothing in code, one line. */
function saidBy(links: readonly Link[]): string | null {
  for (const link of links.toReversed()) {
    const { name, message } = link
    if (typeof message !== 'string' || LIBRARY_NAMES.test(textOf(name))) continue
    const line = oneLine(message)
    if (line !== '' && line.length <= MAX_SAID && !/[{}<>]|\bat \S+:\d+|^\w*Error$/.test(line)) return line
  }
  return null
}

/** The errors of viem, wagmi, and of JavaScript itself. */
const LIBRARY_NAMES = /RpcError$|ProviderError$|ExecutionError$|^(Type|Range|Reference|Syntax)Error$/

/** Without what could hide or turn round other text. */
const oneLine = (text: string): string => (text.split('\n')[0] ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim()

const isMarked = (link: Link, { codes = [], names = [], text }: Marks): boolean =>
  codes.includes(codeOf(link)) ||
  names.includes(textOf(link['name'])) ||
  text?.test(
    [link['message'], link['details'], link['data']].map((part) => textOf(part).slice(0, MAX_READ)).join('\n'),
  ) === true

/** Some wallets give the number as a text. */
const codeOf = ({ code }: Link): unknown => (typeof code === 'string' && /^-?\d{1,9}$/.test(code) ? Number(code) : code)

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
