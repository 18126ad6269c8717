import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { getBalance, readContract } from '@wagmi/core'
import type { WagmiConfig } from '../config.ts'
import { type Contracts, expectKnown } from './contracts.ts'
import { WalletError } from '../errors.ts'
import { follow, RECEIPT_TIMEOUT_MS, send } from './send.ts'
import { toWalletError } from '../to-wallet-error.ts'
import type { Approval, SendEvents, SendOutcome } from '../types.ts'
import { encodeFunctionData } from 'viem'
import { call } from 'viem/actions'

/** The call that sets what a spender may take, in base units. */
const approveCall = ({ spender, amount }: Pick<Approval, 'spender' | 'amount'>) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

/** Whether the token's contract would refuse this allowance now. False also while nobody can tell. */
async function isRefusedByToken(config: WagmiConfig, approval: Omit<Approval, 'needed'>): Promise<boolean> {
  const { owner: account, token: to } = approval
  try {
    await call(config.getClient({ chainId: CHAIN_ID }), { account, to, data: approveCall(approval) })
    return false
  } catch (error) {
    return toWalletError(error, 'trying an approval').kind === 'would-revert'
  }
}

type Hex = `0x${string}`

/** Reads what the owner holds of a token, or of the chain's own currency where it is null; base units. @throws WalletError */
export async function readBalance(config: WagmiConfig, token: Hex | null, owner: Hex): Promise<bigint> {
  if (token !== null) return readTokenBalance(config, token, owner)
  return (await getBalance(config, { address: owner, chainId: CHAIN_ID }).catch(fail)).value
}

const readTokenBalance = (config: WagmiConfig, token: Hex, owner: Hex): Promise<bigint> =>
  readContract(config, {
    abi: erc20Abi,
    address: token,
    functionName: 'balanceOf',
    args: [owner],
    chainId: CHAIN_ID,
  }).catch(fail)

/** Reads what the spender may take from the owner, in base units. @throws WalletError */
export const readAllowance = (config: WagmiConfig, token: Hex, owner: Hex, spender: Hex): Promise<bigint> =>
  readContract(config, {
    abi: erc20Abi,
    address: token,
    functionName: 'allowance',
    args: [owner, spender],
    chainId: CHAIN_ID,
  }).catch(fail)

/** How often the allowance is read while it is waited for, in milliseconds. */
const ALLOWANCE_MS = 1_500
/** How often it is read after the transaction has ended: a node may be a block behind. */
const LAST_LOOKS = 3

/**
 * Has the wallet set what a contract may take of a token to `amount` base units; 0 ends the permission. The allowance on chain decides:
 * wallets let people change the amount, send it through others, or name a transaction that never comes. A token that changes an allowance
 * only from zero has the old one taken back first.
 * @throws WalletError `no-allowance` when less than `needed` was allowed; `would-revert` when the token refuses, before the wallet is asked
 */
export async function sendApproval(
  config: WagmiConfig,
  known: Contracts | null,
  approval: Approval,
  on: SendEvents,
  timeoutMs: number = RECEIPT_TIMEOUT_MS,
): Promise<SendOutcome> {
  const { owner, token, spender, amount, needed = amount } = approval
  expectKnown(known, { gateway: spender })
  if (known !== null && ![known.usdt, known.hash].includes(token.toLowerCase() as Hex))
    throw new WalletError('altered', `The service names ${token} as a token`)
  const isRefused = (changed: bigint) => isRefusedByToken(config, { owner, token, spender, amount: changed })
  if (await isRefused(amount)) {
    const standing = await readAllowance(config, token, owner, spender).catch(() => 0n)
    if (amount === 0n || standing === 0n || (await isRefused(0n)))
      throw new WalletError('would-revert', 'The token refuses this allowance')
    on.takingBack?.()
    const taken = await sendApproval(config, known, { owner, token, spender, amount: 0n }, on, timeoutMs)
    if (taken === 'still-checking') return taken
  }
  const isSet = async (): Promise<boolean> => {
    const allowance = await readAllowance(config, token, owner, spender).catch(() => null)
    return allowance !== null && (amount === 0n ? allowance === 0n : allowance >= needed)
  }
  const data = approveCall({ spender, amount })
  const wasSet = await isSet()
  const answer = send(config, { from: owner, to: token, data, value: 0n }, on)
  const answered = new AbortController()
  let hash: Hex | null
  try {
    // Some wallets have it approved and never answer.
    const early = wasSet ? never : becomes(isSet, NO_ANSWER_MS, answered.signal).then((isSo) => (isSo ? SET : never))
    const first = await Promise.race([answer, early])
    if (first === SET) {
      answer.catch(() => undefined)
      return 'confirmed'
    }
    hash = first
  } catch (error) {
    const isUnsure = error instanceof WalletError && error.kind === 'unknown'
    if (isUnsure && (await becomes(isSet, LAST_LOOKS * ALLOWANCE_MS))) return 'confirmed'
    throw error
  } finally {
    answered.abort()
  }
  const followed = hash === null ? null : follow(config, hash, on, timeoutMs)
  const ended = new AbortController()
  const end = () => ended.abort()
  followed?.then(end, end)
  if (await becomes(isSet, timeoutMs, ended.signal)) return 'confirmed'
  const isLess = async (): Promise<boolean> => !(await becomes(isSet, LAST_LOOKS * ALLOWANCE_MS))
  let outcome: SendOutcome
  try {
    outcome = (await followed) ?? 'still-checking'
  } catch (error) {
    // Another transaction may have taken its place and allowed the same.
    if (await isLess()) throw error
    return 'confirmed'
  }
  if (outcome === 'still-checking' || !(await isLess())) return outcome
  throw new WalletError(amount === 0n ? 'failed' : 'no-allowance', 'The wallet has approved another amount')
}

/** For so long an allowance is looked for while the wallet has not answered, in milliseconds. */
const NO_ANSWER_MS = 10 * 60_000

const SET = Symbol('the allowance is there')
const never = new Promise<never>(() => {})

async function becomes(isSo: () => Promise<boolean>, withinMs: number, signal?: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited <= withinMs; waited += ALLOWANCE_MS) {
    if (signal?.aborted === true) return false
    if (await isSo()) return true
    if (waited < withinMs) await pause(signal)
  }
  return false
}

/** Ends at once at the signal. */
const pause = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ALLOWANCE_MS)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    signal?.addEventListener('abort', stop, { once: true })
  })

function fail(error: unknown): never {
  throw toWalletError(error, 'reading the token')
}
