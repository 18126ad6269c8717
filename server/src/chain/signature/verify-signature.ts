import { codes } from '@candela/protocol/codes/codes'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { addressGroup } from '../../kernel/address-group.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { AppError, reasonOf } from '../../kernel/errors.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Log } from '../../kernel/log.ts'
import { createWorkQueue } from '../../kernel/work-queue.ts'
import { recoverSigner } from './recover-signer.ts'

/** A signature and what was signed, by its 32-byte digest: of a text (EIP-191) or of typed data (EIP-712). */
export type SignedDigest = { address: `0x${string}`; digest: `0x${string}`; signature: `0x${string}` }

/** Asks the chain whether a contract wallet accepts a signature (EIP-1271, or EIP-6492 before it is deployed). */
export type AskContract = (signed: SignedDigest) => Promise<boolean>

/** The caller, by its IP address, and whether a contract may have signed too. */
export type Asking = { clientAddress: string; by?: 'key' | 'key or contract' }

/**
 * Tells whether `address` signed: with its key, or as a contract unless only keys count.
 * @throws AppError 429 when too many wait, 5032 when the chain does not answer
 */
export type VerifySignature = (signed: SignedDigest, asking: Asking) => Promise<boolean>

// Recovering the key is most of what a wrong login costs. At most half of the requests that are worked on at a time may
// wait for it, so that the other half is left for other calls.
const KEYS_WAITING = 64
// Eight take half a millisecond, then other calls run. With one in each turn, a third of 96 simultaneous transfers was
// refused.
const KEYS_AT_ONCE = 8

// Each contract check is an RPC call that a stranger's contract can make cost much gas. These limit how much of the node wrong signatures
// can use. Networks and accounts take turns, so that a flood of one makes nobody else wait for more than the checks that run.
const AT_ONCE = 4
const WAITING = 32

/** How long a caller is told to wait when too many wait already, in seconds. */
const WAIT_S = 2

/**
 * A key's signature is checked at once. Only a signature that is not of the address's own key goes to the chain, a few
 * at a time.
 */
export function createVerifySignature(askContract: AskContract, log: Log): VerifySignature {
  const turn = createWorkQueue({ atOnce: KEYS_AT_ONCE, maxWaiting: KEYS_WAITING })
  const enter = createFairQueue({ atOnce: AT_ONCE, maxWaiting: WAITING })
  return async (signed, { clientAddress, by = 'key or contract' }) => {
    if (!(await turn())) throw new AppError(codes.slowDown, { seconds: WAIT_S })
    if (recoverSigner(signed.digest, signed.signature) === signed.address) return true
    if (by === 'key') return false
    const leave = await enter([addressGroup(clientAddress), signed.address])
    if (leave === null) throw new AppError(codes.slowDown, { seconds: WAIT_S })
    const elapsed_ms = stopwatch()
    try {
      return await askContract(signed)
    } catch (error) {
      log.warn(
        {
          event: 'signature.check-failed',
          chain: CHAIN_ID,
          durationMs: Math.round(elapsed_ms()),
          reason: reasonOf(error),
        },
        'the node did not answer whether a contract accepts a signature',
      )
      throw new AppError(codes.chainBehind, {}, { cause: error })
    } finally {
      leave()
    }
  }
}
