import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { type Sums, dayNumber } from '@candela/protocol/proof/sum-tree'
import { BaseError, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { ask } from '../ask.ts'
import { type ChainClient } from '../client.ts'
import type { At } from './payout-chain.ts'

/** What is attested, base units. */
export type AttestTerms = {
  day: string
  root: string
  sums: Sums
  leaves: number
  block: bigint
  sequence: bigint
}

export type AttestChain = {
  /** The call that attests. */
  call(terms: AttestTerms): { to: Hex; data: Hex }
  /** Why the contract would refuse it now, in its node's words; null when it would not. */
  refusal(from: string, terms: AttestTerms): Promise<string | null>
  /** Root and time of the last attestation at a followed block; the root is zero before the first. */
  lastAt(at: At): Promise<{ root: string; attestedAt: Date }>
}

/** Every answer, or an `RpcError`. */
export function attestChain(client: ChainClient, gateway: Hex): AttestChain {
  const abi = paymentGatewayAbi
  const dataOf = ({ day, root, sums, leaves, block, sequence }: AttestTerms): Hex =>
    encodeFunctionData({
      abi,
      functionName: 'attest',
      args: [BigInt(dayNumber(day)), root as Hex, sums, BigInt(leaves), block, sequence],
    })
  return {
    call: (terms) => ({ to: gateway, data: dataOf(terms) }),
    async refusal(from, terms) {
      try {
        await client.request({
          method: 'eth_call',
          params: [{ from: from as Hex, to: gateway, data: dataOf(terms) }, 'latest'],
        })
        return null
      } catch (error) {
        const words = error instanceof BaseError ? error.details || error.shortMessage : ''
        if (/revert/i.test(words)) return words
        return ask('a trial attestation', () => Promise.reject(error as Error))
      }
    },
    lastAt: (at) =>
      ask(`last attestation at block ${at.number}`, async () => {
        const data = encodeFunctionData({ abi, functionName: 'lastAttestation' })
        const block = { blockHash: at.hash as Hex, requireCanonical: true }
        const answer = await client.request({ method: 'eth_call', params: [{ to: gateway, data }, block] })
        const { root, attestedAt } = decodeFunctionResult({ abi, functionName: 'lastAttestation', data: answer })
        return { root, attestedAt: new Date(attestedAt * 1000) }
      }),
  }
}
