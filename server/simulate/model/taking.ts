import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { AssetCode } from '@candela/protocol/money/assets'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { Hex } from 'viem'
import { requireNotInExit } from './attest.ts'
import { type AttestedState, type InBlock, NOTICE_S, VALIDITY_S } from './attested-state.ts'
import { addressOf, type ModelContracts } from './calls.ts'
import { reverted } from './reverted.ts'

/** The owner's request, and what the gateway holds of the asset. */
type OwnersCall = { from: Hex; asset: AssetCode; held: bigint }

function requireOwner({ owner }: ModelContracts, from: Hex): void {
  if (from !== owner) throw reverted('OwnableUnauthorizedAccount', [from])
}

/** The state after `announceTaking`. @throws Reverted */
export function announceTaking(
  state: AttestedState,
  contracts: ModelContracts,
  { from, asset, held, to, amount }: OwnersCall & { to: Hex; amount: bigint },
  { timestamp }: InBlock,
): AttestedState {
  requireOwner(contracts, from)
  requireNotInExit(state)
  if (to === NATIVE_ASSET || to === contracts.gateway) throw reverted('BadRecipient', [to])
  const taking = { to, announcedAt: timestamp, amount, stillHeld: held }
  return { ...state, takings: new Map(state.takings).set(asset, taking) }
}

/** The state after `take`, with what is to be sent. @throws Reverted */
export function take(
  state: AttestedState,
  contracts: ModelContracts,
  { from, asset, held }: OwnersCall,
  { timestamp }: InBlock,
): { state: AttestedState; to: Hex; amount: bigint } {
  requireOwner(contracts, from)
  requireNotInExit(state)
  const taking = state.takings.get(asset)
  const address = addressOf(contracts, asset)
  if (taking === undefined || taking.amount === 0n) throw reverted('NothingAnnounced', [address])
  const opensAt = taking.announcedAt + NOTICE_S
  if (timestamp < opensAt) throw reverted('TooEarly', [BigInt(opensAt)])
  const endsAt = opensAt + VALIDITY_S
  if (timestamp > endsAt) throw reverted('TooLate', [BigInt(endsAt)])
  if (state.last.attestedAt < opensAt) throw reverted('NotAttestedSince', [BigInt(opensAt)])
  const counted = taking.stillHeld < held ? taking.stillHeld : held
  const owed = state.last.sums[proofAssets.indexOf(asset)] ?? 0n
  const surplus = counted > owed ? counted - owed : 0n
  if (taking.amount > surplus) throw reverted('ExceedsSurplus', [address, taking.amount, surplus])
  const takings = new Map(state.takings)
  takings.delete(asset)
  return { state: { ...state, takings }, to: taking.to, amount: taking.amount }
}
