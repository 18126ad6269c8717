import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { CHAIN_ID, PLAIN_TRANSFER_GAS, RECHARGE_GAS } from '@candela/protocol/chain/network'
import { encodeAbiParameters, encodeFunctionData, isHash, numberToHex, type ReplacementReason } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { currentConnection, providerOf, type WagmiConfig } from '../config.ts'
import { type Contracts, expectKnown } from './contracts.ts'
import { WalletError, type WalletErrorKind } from '../errors.ts'
import { readChainId } from '../network.ts'
import { toWalletError } from '../to-wallet-error.ts'
import type { NativeTransfer, Recharge, RechargeTransaction, SendEvents, SendOutcome } from '../types.ts'
import { answerInTime } from '../waiting.ts'

type Hex = `0x${string}`
type Provider = NonNullable<Awaited<ReturnType<typeof providerOf>>>

/** The transaction that the wallet is asked to send. `gas` is left to the wallet where it is absent. */
export type Wanted = { from: Hex; to: Hex; data: Hex; value: bigint; gas?: bigint }

/** How long a receipt is waited for before the screen is let go; the server goes on watching the chain. */
export const RECEIPT_TIMEOUT_MS = 180_000

/**
 * Has the wallet send a transaction and waits until it is in a block. Once it is sent, only a receipt or a replacement
 * that is in a block can make it fail: what cannot be found out is `still-checking`.
 * @throws WalletError
 */
export async function sendAndFollow(
  config: WagmiConfig,
  wanted: Wanted,
  on: SendEvents,
  timeoutMs: number = RECEIPT_TIMEOUT_MS,
): Promise<SendOutcome> {
  const hash = await send(config, wanted, on)
  return hash === null ? 'still-checking' : await follow(config, hash, on, timeoutMs)
}

/**
 * Asks the wallet, once and by one method: a second one would open a second window for the same payment.
 * @returns null where the wallet has answered no hash
 * @throws WalletError `unknown` and `gone` where it may have been sent all the same, `left-chain` where it may have been sent elsewhere
 */
export async function send(config: WagmiConfig, wanted: Wanted, on: SendEvents): Promise<Hex | null> {
  const { connector, accounts } = currentConnection(config)
  const { from, to, data, value, gas } = wanted
  if (!accounts.some((account) => account.toLowerCase() === from.toLowerCase()))
    throw new WalletError('wrong-account', `The wallet is not on ${from}`)
  const provider = await providerOf(connector)
  if (provider === undefined) throw new WalletError('not-installed', 'The wallet has gone')
  const chainId = await readChainId(provider)
  if (chainId !== CHAIN_ID) throw new WalletError('wrong-chain', `The wallet is on chain ${chainId}`)
  const before = await readNonce(provider, from, 'pending')
  on.asked?.(before)
  const asked = {
    from,
    to,
    data,
    value: numberToHex(value),
    // The wallet then refuses to send it on another chain, also when the person changes the network in its window.
    chainId: numberToHex(CHAIN_ID),
    ...(gas !== undefined && { gas: numberToHex(gas) }),
  }
  let answer: unknown
  try {
    answer = await provider.request({ method: 'eth_sendTransaction', params: [asked] } as never)
  } catch (error) {
    throw await afterAsking(error, async () => isMore(await readNonce(provider, from, 'pending'), before))
  }
  const hash = typeof answer === 'string' && isHash(answer) ? answer : null
  const looking = readChainId(provider).catch(() => null)
  on.sent(hash)
  const chainNow = await looking
  if (chainNow !== null && chainNow !== CHAIN_ID)
    throw new WalletError('left-chain', `The wallet went to chain ${chainNow} while it was asked`)
  return hash
}

const isMore = (now: number | null, before: number | null): boolean => now !== null && before !== null && now > before

/** After these nothing was sent. */
const certain: readonly WalletErrorKind[] = [
  'refused',
  'busy',
  'wrong-account',
  'wrong-chain',
  'no-gas',
  'no-token',
  'no-allowance',
  'would-revert',
]

/** Wallets also throw after they have sent. `hasSent`: whether something has left the account meanwhile. */
async function afterAsking(error: unknown, hasSent: () => Promise<boolean>): Promise<WalletError> {
  const known = toWalletError(error, 'sending a transaction')
  if (!(await hasSent()) && (certain.includes(known.kind) || known.kind === 'gone')) return known
  return new WalletError('unknown', `The wallet was asked, and then: ${known.message}`, error, known.said)
}

/**
 * How many transactions the account has sent: `latest` in blocks, `pending` with those that wait. Null where nobody answers.
 */
export async function readNonce(
  provider: Pick<Provider, 'request'>,
  account: Hex,
  tag: 'latest' | 'pending',
): Promise<number | null> {
  try {
    const asked = provider.request({ method: 'eth_getTransactionCount', params: [account, tag] })
    const count = Number(await answerInTime(asked))
    return Number.isSafeInteger(count) ? count : null
  } catch {
    return null
  }
}

export async function follow(config: WagmiConfig, hash: Hex, on: SendEvents, timeoutMs: number): Promise<SendOutcome> {
  let replaced: ReplacementReason | undefined
  const receipt = await waitForTransactionReceipt(config.getClient({ chainId: CHAIN_ID }), {
    hash,
    timeout: timeoutMs,
    onReplaced({ reason, transaction }) {
      replaced = reason
      if (reason === 'repriced') on.sent(transaction.hash)
    },
  }).catch((error: unknown) => {
    // A time-out, a dropped connection, a wallet on another chain: none of them says that the transaction failed.
    // oxlint-disable-next-line no-console -- the only trace of why a screen said "still checking"
    console.warn('Waiting for the receipt ended early', error)
    return null
  })
  if (receipt === null) return 'still-checking'
  // A sped-up transaction is the same transaction; anything else at its nonce means that it can never be mined.
  if (replaced === 'cancelled') throw new WalletError('cancelled', 'The transaction was cancelled in the wallet')
  if (replaced === 'replaced') throw new WalletError('failed', 'Another transaction took its place')
  if (receipt.status === 'reverted') throw new WalletError('reverted', 'The chain reverted the transaction')
  return receipt.status === 'success' ? 'confirmed' : 'still-checking'
}

/**
 * Has the wallet send a payment from the account that it is for, and waits until it is in a block. The call is made here from the terms
 * that the person was shown; what the service has prepared has to be the same. @throws WalletError
 */
export async function sendRecharge(
  config: WagmiConfig,
  known: Contracts | null,
  { terms, prepared }: { terms: Recharge; prepared: RechargeTransaction },
  on: SendEvents,
  timeoutMs?: number,
): Promise<SendOutcome> {
  return await sendAndFollow(config, wantedFor(known, terms, prepared), on, timeoutMs)
}

function wantedFor(known: Contracts | null, terms: Recharge, prepared: RechargeTransaction): Wanted {
  const { abiKey, asset, amount, customer, reference } = terms
  const isNative = asset === 'JU'
  const token = prepared.tuple[1]
  expectKnown(known, { gateway: prepared.to, ...(!isNative && { [asset === 'USDT' ? 'usdt' : 'hash']: token }) })
  const parameters = encodeAbiParameters(rechargeDataTypes, [
    amount,
    isNative ? NATIVE_ASSET : (token as Hex),
    customer,
    reference,
  ])
  const wanted = {
    from: customer,
    to: prepared.to as Hex,
    data: encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: [abiKey, parameters] }),
    value: isNative ? amount : 0n,
    gas: RECHARGE_GAS,
  }
  const isSame =
    prepared.chainId === CHAIN_ID &&
    prepared.data === wanted.data &&
    BigInt(prepared.value) === wanted.value &&
    (isNative || token !== NATIVE_ASSET)
  if (!isSame) throw new WalletError('altered', 'The service has prepared another payment than the page shows')
  return wanted
}

/** Has the wallet send a plain transfer to the payment contract, and waits until it is in a block. @throws WalletError */
export async function sendNative(
  config: WagmiConfig,
  known: Contracts | null,
  transfer: NativeTransfer,
  on: SendEvents,
  timeoutMs?: number,
): Promise<SendOutcome> {
  expectKnown(known, { gateway: transfer.to })
  return await sendAndFollow(config, { ...transfer, data: '0x', gas: PLAIN_TRANSFER_GAS }, on, timeoutMs)
}
