import {
  CounterfactualDeploymentFailedError,
  encodeFunctionData,
  type Hex,
  isErc6492Signature,
  parseErc6492Signature,
} from 'viem'
import { ask, RpcError } from '../ask.ts'
import { type ChainClient } from '../client.ts'
import type { Node } from '../nodes/nodes.ts'
import type { AskContract, SignedDigest } from './verify-signature.ts'

const erc1271Abi = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [{ type: 'bytes32' }, { type: 'bytes' }],
    outputs: [{ type: 'bytes4' }],
  },
] as const

/** EIP-1271's magic value as a contract returns it: exactly this word. */
const ACCEPTED = `0x1626ba7e${'00'.repeat(28)}`

/**
 * Limit for checking one signature, in gas: enough to deploy a wallet and to verify a passkey in Solidity, and
 * milliseconds for a node. The caller pays nothing, so the cost is limited here.
 */
const GAS = 10_000_000n

/** The code of a provider for a client that has asked too much (EIP-1474): it has not run the call. */
const LIMIT_EXCEEDED = -32_005

/**
 * Asks the wallet's own contract, in one simulated call that changes nothing. A wallet that is not deployed yet is
 * deployed for the length of the call by the factory that its signature names (EIP-6492). A deployed wallet is asked
 * directly, so that no call that a stranger chose runs before its answer.
 * @throws RpcError when the node does not answer
 */
export function askContractOn(client: ChainClient): AskContract {
  return async (signed) => {
    const code = await ask('code of a wallet', () => client.getCode({ address: signed.address }))
    const parts = unwrap(signed.signature)
    if (parts === null) return false
    if (code !== undefined && code !== '0x') return accepts(client, signed, parts.signature)
    // Without a contract, deployed or to be deployed, there is nothing that could accept a signature.
    if (parts.factory === undefined) return false
    return accepts(client, signed, parts.signature, { factory: parts.factory, factoryData: parts.factoryData })
  }
}

/**
 * Asks each node that counts, where there are several. A signature is accepted, or not, when more than half of them say so: a wrong
 * answer of one would sign in the name of anybody, also of an address that is no contract.
 * @throws RpcError while they do not agree, or too few have answered
 */
export function askContractByMajority(nodes: readonly Pick<Node, 'client' | 'health'>[]): AskContract {
  return async (signed) => {
    const counted = nodes.filter(({ health }) => health().counts)
    const answers = await Promise.allSettled(counted.map(({ client }) => askContractOn(client)(signed)))
    for (const answer of [true, false]) {
      const same = answers.filter((one) => one.status === 'fulfilled' && one.value === answer)
      if (2 * same.length > counted.length) return answer
    }
    const failed = answers.find((one) => one.status === 'rejected')
    throw failed?.reason ?? new RpcError('badAnswer', 'the nodes do not agree whether a contract accepts a signature')
  }
}

type Deployment = { factory: Hex; factoryData: Hex }
type Unwrapped = { signature: Hex } & (Deployment | { factory?: never })

/**
 * The wallet's own signature, and how to deploy the wallet if it comes with that; null when it is not wrapped
 * correctly.
 */
function unwrap(signature: Hex): Unwrapped | null {
  if (!isErc6492Signature(signature)) return { signature }
  try {
    const parts = parseErc6492Signature(signature)
    if (parts.address === undefined) return null
    return { factory: parts.address, factoryData: parts.data, signature: parts.signature }
  } catch {
    // The decoder throws at anything that is not the three parts of EIP-6492.
    return null
  }
}

async function accepts(
  client: ChainClient,
  { address, digest }: SignedDigest,
  signature: Hex,
  deployment?: Deployment,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args: [digest, signature] })
  try {
    const answer = await ask('signature of a wallet', () => client.call({ to: address, data, gas: GAS, ...deployment }))
    return answer.data === ACCEPTED
  } catch (error) {
    // The node has run the call and it failed: reverted, out of gas, or not deployed by its factory.
    if (error instanceof RpcError && error.failure === 'refused' && error.code !== LIMIT_EXCEEDED) return false
    if (error instanceof CounterfactualDeploymentFailedError) return false
    throw error
  }
}
