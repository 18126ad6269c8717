import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { type DecodeFunctionDataReturnType, encodeFunctionResult, type Hex } from 'viem'
import { type AttestedState, isClaimed, paidSince } from './attested-state.ts'
import { assetOf, type ModelContracts } from './calls.ts'
import { sharesOf } from './exit.ts'

const abi = paymentGatewayAbi

type Asked = DecodeFunctionDataReturnType<typeof abi>

const questions = [
  'lastAttestation',
  'exitedAt',
  'claimsOpenAt',
  'heldAtExit',
  'countedPaid',
  'paidSince',
  'isClaimed',
  'claimable',
  'announcedTaking',
] as const
type Question = Extract<Asked, { functionName: (typeof questions)[number] }>

const isQuestion = (call: Asked): call is Question => questions.some((name) => name === call.functionName)

/** Answers a question about attestations, exit mode or the owner's taking; undefined for any other call. */
export function viewAttested(state: AttestedState, contracts: ModelContracts, call: Asked): Hex | undefined {
  return isQuestion(call) ? answer(state, contracts, call) : undefined
}

function answer(state: AttestedState, contracts: ModelContracts, call: Question): Hex {
  const { functionName } = call
  switch (functionName) {
    case 'lastAttestation': {
      const { block, sequence, ...rest } = state.last
      const subcoin = rest.attestedAt === 0 ? NATIVE_ASSET : contracts.hash
      const result = { ...rest, subcoin, blockNumber: block, ledgerSequence: sequence }
      return encodeFunctionResult({ abi, functionName, result })
    }
    case 'exitedAt':
      return encodeFunctionResult({ abi, functionName, result: BigInt(state.exitedAt) })
    case 'claimsOpenAt':
      return encodeFunctionResult({ abi, functionName, result: BigInt(state.claimsOpenAt) })
    case 'heldAtExit':
      return encodeFunctionResult({ abi, functionName, result: state.heldAtExit })
    case 'countedPaid':
      return encodeFunctionResult({ abi, functionName, result: state.countedPaid })
    case 'paidSince': {
      const [asset, to] = call.args
      const result = paidSince(state, assetOf(contracts, asset), to.toLowerCase())
      return encodeFunctionResult({ abi, functionName, result })
    }
    case 'isClaimed': {
      const [usdt, hash, ju] = proofAssets.map((asset) => isClaimed(state, asset, call.args[0].toLowerCase()))
      return encodeFunctionResult({ abi, functionName, result: [usdt === true, hash === true, ju === true] })
    }
    case 'claimable': {
      const [member, owed] = call.args
      const result = sharesOf(state, { member: member.toLowerCase() as Hex, owed })
      return encodeFunctionResult({ abi, functionName, result })
    }
    case 'announcedTaking':
      break
  }
  const taking = state.takings.get(assetOf(contracts, call.args[0]))
  const { to = NATIVE_ASSET, announcedAt = 0, block = 0, amount = 0n, heldThen = 0n } = taking ?? {}
  const result = { to, announcedAt, blockNumber: block, amount, heldThen }
  return encodeFunctionResult({ abi, functionName, result })
}
