import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { AssetCode } from '@candela/protocol/money/assets'
import { type DecodeFunctionDataReturnType, encodeFunctionResult, type Hex } from 'viem'
import { type AttestedState, claimsOf, type InBlock, paidSince } from './attested-state.ts'
import { assetOf, type ModelContracts } from './calls.ts'
import { dueOf, potOf } from './exit.ts'

const abi = paymentGatewayAbi

type Asked = DecodeFunctionDataReturnType<typeof abi>

const questions = [
  'lastAttestation',
  'exitedAt',
  'sharedAtExit',
  'paidSince',
  'isClaimed',
  'isClaimedAgain',
  'claimable',
  'announcedTaking',
  'announcedRaise',
  'standby',
  'pendingOwner',
  'ownershipFrom',
  'token',
] as const
type Question = Extract<Asked, { functionName: (typeof questions)[number] }>

const isQuestion = (call: Asked): call is Question => questions.some((name) => name === call.functionName)

/** Answers a question about attestations, exit mode or what the owner has announced; undefined for any other call. */
export function viewAttested(
  state: AttestedState,
  contracts: ModelContracts,
  call: Asked,
  now: InBlock & { heldOf: (asset: AssetCode) => bigint },
): Hex | undefined {
  return isQuestion(call) ? answer(state, contracts, call, now) : undefined
}

function answer(
  state: AttestedState,
  contracts: ModelContracts,
  call: Question,
  { timestamp, heldOf }: InBlock & { heldOf: (asset: AssetCode) => bigint },
): Hex {
  const { functionName } = call
  switch (functionName) {
    case 'lastAttestation': {
      const { block, sequence, ...rest } = state.last
      const result = { ...rest, blockNumber: block, ledgerSequence: sequence }
      return encodeFunctionResult({ abi, functionName, result })
    }
    case 'exitedAt':
      return encodeFunctionResult({ abi, functionName, result: state.exitedAt })
    case 'sharedAtExit': {
      const [usdt, hash, ju] = proofAssets.map((asset) => {
        const shared = state.shared[asset]
        return { ...shared, sharedAgainAt: BigInt(shared.sharedAgainAt) }
      })
      if (usdt === undefined || hash === undefined || ju === undefined) throw new Error('three assets')
      return encodeFunctionResult({ abi, functionName, result: [usdt, hash, ju] })
    }
    case 'paidSince': {
      const [asset, to] = call.args
      const result = paidSince(state, assetOf(contracts, asset), to.toLowerCase())
      return encodeFunctionResult({ abi, functionName, result })
    }
    case 'isClaimed':
    case 'isClaimedAgain': {
      const least = functionName === 'isClaimed' ? 1 : 2
      const [usdt, hash, ju] = proofAssets.map((asset) => claimsOf(state, asset, call.args[0].toLowerCase()) >= least)
      return encodeFunctionResult({ abi, functionName, result: [usdt === true, hash === true, ju === true] })
    }
    case 'claimable': {
      const [member, owed] = call.args
      const leaf = { member: member.toLowerCase() as Hex, owed }
      const [usdt, hash, ju] = proofAssets.map((asset) => {
        return dueOf(state, leaf, asset, potOf(state, asset, heldOf(asset), timestamp))?.amount ?? 0n
      })
      return encodeFunctionResult({ abi, functionName, result: [usdt ?? 0n, hash ?? 0n, ju ?? 0n] })
    }
    // Takings are all that the owner announces here.
    case 'announcedRaise':
      return encodeFunctionResult({ abi, functionName, result: { amount: 0n, from: 0 } })
    case 'standby':
      return encodeFunctionResult({ abi, functionName, result: { account: NATIVE_ASSET, from: 0 } })
    case 'pendingOwner':
      return encodeFunctionResult({ abi, functionName, result: NATIVE_ASSET })
    case 'ownershipFrom':
      return encodeFunctionResult({ abi, functionName, result: 0n })
    case 'token':
      return encodeFunctionResult({ abi, functionName, result: contracts.hash })
    case 'announcedTaking':
      break
  }
  const taking = state.takings.get(assetOf(contracts, call.args[0]))
  const { to = NATIVE_ASSET, announcedAt = 0, amount = 0n, stillHeld = 0n } = taking ?? {}
  const result = { to, announcedAt, amount, stillHeld }
  return encodeFunctionResult({ abi, functionName, result })
}
