import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { addDays } from '@candela/protocol/calendar'
import { type Sums, dayNumber } from '@candela/protocol/proof/sum-tree'
import { BaseError, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { ask } from '../ask.ts'
import { type ChainClient } from '../client.ts'
import type { At } from './payout-chain.ts'

/** The terms of an attestation, base units. */
export type AttestTerms = {
  day: string
  root: string
  sums: Sums
  leaves: number
  block: bigint
  sequence: bigint
}

/** The last attestation on chain; the root is zero before the first. */
export type LastAttestation = { day: string; root: string; sums: Sums; attestedAt: Date }

export type AttestChain = {
  /** The call that attests. */
  call(terms: AttestTerms): { to: Hex; data: Hex }
  /** Why the contract would refuse it now, in its node's words; null when it would not. */
  refusal(from: string, terms: AttestTerms): Promise<string | null>
  /** At a followed block. */
  lastAt(at: At): Promise<LastAttestation>
  /** When the contract went into exit mode, at a followed block; null while it has not. */
  exitedAt(at: At): Promise<Date | null>
}

/** Every answer, or an `RpcError`. */
export function attestChain(client: ChainClient, { gateway, hash }: { gateway: Hex; hash: Hex }): AttestChain {
  const abi = paymentGatewayAbi
  const dataOf = ({ day, root, sums, leaves, block, sequence }: AttestTerms): Hex =>
    encodeFunctionData({
      abi,
      functionName: 'attest',
      args: [BigInt(dayNumber(day)), root as Hex, sums, hash, BigInt(leaves), block, sequence],
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
    exitedAt: (at) =>
      ask(`exit mode at block ${at.number}`, async () => {
        const data = encodeFunctionData({ abi, functionName: 'exitedAt' })
        const block = { blockHash: at.hash as Hex, requireCanonical: true }
        const answer = await client.request({ method: 'eth_call', params: [{ to: gateway, data }, block] })
        const seconds = decodeFunctionResult({ abi, functionName: 'exitedAt', data: answer })
        return seconds === 0 ? null : new Date(seconds * 1000)
      }),
    lastAt: (at) =>
      ask(`last attestation at block ${at.number}`, async () => {
        const data = encodeFunctionData({ abi, functionName: 'lastAttestation' })
        const block = { blockHash: at.hash as Hex, requireCanonical: true }
        const answer = await client.request({ method: 'eth_call', params: [{ to: gateway, data }, block] })
        const last = decodeFunctionResult({ abi, functionName: 'lastAttestation', data: answer })
        const { root, sums, attestedAt } = last
        return { day: addDays('1970-01-01', last.day), root, sums, attestedAt: new Date(attestedAt * 1000) }
      }),
  }
}
