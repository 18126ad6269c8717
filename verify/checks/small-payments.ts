import { z } from 'zod'
import { assets, sum, toBase, toText } from '../amounts.ts'
import type { Report } from '../report.ts'
import { type ChainFacts, within } from '../sources/chain-facts.ts'

const amount = z.string().regex(/^\d+(\.\d+)?$/)

export const smallPaymentsForm = z.object({
  day: z.string(),
  asset: z.enum(assets),
  /** The amount of the statement's line, or of its lines of that day. */
  amount,
  items: z.array(z.object({ txHash: z.string(), payer: z.string(), amount })),
})

/** Amounts below these are booked in one sum a day, beyond the first three. */
const steps = { USDT: 10n ** 16n, HASH: 2n * 10n ** 16n, JU: 2n * 10n ** 15n }

const keyOf = (txHash: string, payer: string, units: bigint) => `${txHash} ${payer} ${units}`.toLowerCase()

/** Every small payment of a sum came on chain on that day, once, and together they are the sum. */
export function checkSmallPayments(
  report: Report,
  { day, asset, amount: total, items }: z.infer<typeof smallPaymentsForm>,
  chain: ChainFacts,
): void {
  const name = `${day} ${asset}`
  const span = chain.days.find((one) => one.day === day)
  if (span === undefined) return report.differs('own small payments', name, 'the chain has no such day')
  const payments = within(chain.payments, span).filter((one) => one.asset === asset)
  const transfers = within(chain.arrived, span).filter((one) => one.asset === asset)
  const onChain =
    asset === 'JU'
      ? payments.map((one) => keyOf(one.txHash, one.payer, one.amount))
      : transfers.map((one) => keyOf(one.txHash, one.from, one.amount))
  const missing = items.filter((one) => {
    const place = onChain.indexOf(keyOf(one.txHash, one.payer, toBase(one.amount)))
    if (place >= 0) onChain.splice(place, 1)
    return place < 0
  })
  report.equal(
    'own small payments',
    `${name} that are not on chain`,
    'none',
    missing.map((one) => one.txHash).join(' ') || 'none',
  )
  const large = items.filter((one) => toBase(one.amount) >= steps[asset])
  report.equal(
    'own small payments',
    `${name} of a whole step`,
    'none',
    large.map((one) => one.txHash).join(' ') || 'none',
  )
  report.equal(
    'own small payments',
    `${name} sum`,
    toText(toBase(total)),
    toText(sum(items.map((one) => toBase(one.amount)))),
  )
}
