import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { AssetCode } from '@candela/protocol/money/assets'
import { decodeEventLog, encodeEventTopics } from 'viem'
import { assetOf } from '../model/calls.ts'
import type { Simulation } from '../run/simulation.ts'

const [paidTopic] = encodeEventTopics({ abi: paymentGatewayAbi, eventName: 'Paid' })

/** Sums what the contract has paid to each account after one block and up to another, by asset; read from its `Paid` events. */
export function paidBetween({ chain, contracts }: Simulation, after: number, upTo: number) {
  const sums = new Map<string, bigint>()
  for (const { number, logs } of chain.above(null, chain.head)) {
    if (number <= after || number > upTo) continue
    for (const { address, topics, data } of logs) {
      if (address !== contracts.gateway || topics[0] !== paidTopic) continue
      const { args } = decodeEventLog({ abi: paymentGatewayAbi, eventName: 'Paid', topics, data })
      const key = `${assetOf(contracts, args.asset)} ${args.to.toLowerCase()}`
      sums.set(key, (sums.get(key) ?? 0n) + args.amount)
    }
  }
  return (asset: AssetCode, account: string): bigint => sums.get(`${asset} ${account}`) ?? 0n
}
