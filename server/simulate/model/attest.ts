import { addDays } from '@candela/protocol/calendar'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import {
  contextHash,
  fromHex,
  leafNode,
  MAX_DEPTH,
  rootOf,
  sameSums,
  type SumNode,
  toHex,
} from '@candela/protocol/proof/sum-tree'
import { DAY_MS } from '@candela/protocol/units'
import type { AttestedState, InBlock, ProvedLeaf } from './attested-state.ts'
import type { AttestCall, ModelContracts } from './calls.ts'
import { Reverted, reverted } from './reverted.ts'

/** @throws Reverted */
export function requireNotInExit({ exitedAt }: AttestedState): void {
  if (exitedAt !== 0) throw reverted('InExit')
}

/** Money comes in only while there is a way out for it. @throws Reverted */
export function requireOpen(state: AttestedState): void {
  if (state.last.attestedAt === 0) throw reverted('NeverAttested')
  requireNotInExit(state)
}

const rememberPaid = ({ now, atLast }: { now: bigint; atLast: bigint }) => ({ now, atLast: now, before: atLast })

/** The state after `attest`. @throws Reverted */
export function attest(state: AttestedState, call: AttestCall, { number, timestamp }: InBlock): AttestedState {
  const { last } = state
  const { day, root, sums, subcoin, leaves, block, sequence } = call
  const today = Math.floor((timestamp * 1000) / DAY_MS)
  if (day <= BigInt(last.day) || day > BigInt(today)) throw reverted('BadDay', [day])
  if (BigInt(root) === 0n) throw reverted('ZeroRoot')
  if (block >= BigInt(number)) throw reverted('BadBlock', [block])
  const depth = Array.from({ length: MAX_DEPTH + 1 }, (_none, bits) => 1n << BigInt(bits)).indexOf(leaves)
  if (depth < 0) throw reverted('BadLeaves', [leaves])
  const attested = {
    day: Number(day),
    root,
    sums,
    subcoin,
    attestedAt: timestamp,
    block: Number(block),
    depth,
    sequence,
  }
  const { USDT, HASH, JU } = state.paidInAll
  const paidInAll = { USDT: rememberPaid(USDT), HASH: rememberPaid(HASH), JU: rememberPaid(JU) }
  return { ...state, last: attested, paidInAll }
}

/** @throws Reverted unless the leaf's path leads to the attested root and sums */
export function requireInTree({ last }: AttestedState, { gateway }: ModelContracts, proof: ProvedLeaf): void {
  const { member, position, owed, salt, path } = proof
  if (path.length !== last.depth || position >> BigInt(path.length) !== 0n) throw reverted('NotInTree')
  const day = addDays('1970-01-01', last.day)
  const siblings = path.map(({ hash, sums }): SumNode => ({ hash: fromHex(hash), sums }))
  const context = contextHash({ chainId: CHAIN_ID, gateway, day })
  const found = overflowReverts(() =>
    rootOf(leafNode(context, { member, owed, salt: fromHex(salt) }), { position: Number(position), siblings }),
  )
  if (toHex(found.hash) !== last.root || !sameSums(found.sums, last.sums)) throw reverted('NotInTree')
}

/** Sums that do not fit are a panic of the contract. */
function overflowReverts<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw new Reverted('0x', 'reverted: sums do not fit')
    throw error
  }
}
