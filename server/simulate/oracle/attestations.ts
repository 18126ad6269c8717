import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { addDays } from '@candela/protocol/calendar'
import { decodeEventLog, encodeEventTopics } from 'viem'
import type { Simulation } from '../run/simulation.ts'

const [attestedTopic] = encodeEventTopics({ abi: paymentGatewayAbi, eventName: 'Attested' })

/** Each attestation that the service says to be on chain is there, with the root of its snapshot. */
export async function attestationsAreOnChain({ db, chain }: Simulation): Promise<string[]> {
  const onChain = new Map<string, string>()
  for (const { topics, data } of chain.above(null, chain.head).flatMap(({ logs }) => logs)) {
    if (topics[0] !== attestedTopic) continue
    const { args } = decodeEventLog({ abi: paymentGatewayAbi, eventName: 'Attested', topics, data })
    onChain.set(addDays('1970-01-01', Number(args.day)), args.root)
  }
  const rows = await db
    .selectFrom('attestation as a')
    .innerJoin('proof_snapshot as s', 's.day', 'a.day')
    .select(['a.day', 's.root'])
    .where('a.state', '=', 'attested')
    .execute()
  return rows
    .filter(({ day, root }) => onChain.get(day) !== root)
    .map(({ day }) => `${day} counts as attested, and the chain has ${onChain.get(day) ?? 'nothing'} for it`)
}
