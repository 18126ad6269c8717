import { assets, sum, toBase, toText } from '../amounts.ts'
import { type ChainFacts, within } from '../sources/chain-facts.ts'
import type { Day } from '../published.ts'
import type { Report } from '../report.ts'

/**
 * Counts for each day and asset how many events of the chain brought money in and paid it out, and how much. A token arrives by a
 * transfer, with or without a payment, so transfers are what is counted; native currency by payments alone.
 */
export function checkPayments(report: Report, chain: ChainFacts, span: ChainFacts['days'][number], day: Day): void {
  for (const asset of assets) {
    const published = day.payments.find((one) => one.asset === asset)
    const subject = (what: string) => `${span.day} ${asset} ${what}`
    if (published === undefined) {
      report.differs('payments', subject('figures'), 'nothing is published')
      continue
    }
    const received = within<{ amount: bigint; asset: string; blockNumber: number }>(
      asset === 'JU' ? chain.payments : chain.arrived,
      span,
    ).filter((one) => one.asset === asset)
    const paid = within(chain.paid, span).filter((one) => one.asset === asset)
    const check = (what: string, events: readonly { amount: bigint }[], said: { count: number; amount: string }) => {
      report.equal('payments', subject(`${what}, number`), said.count, events.length)
      const total = sum(events.map(({ amount }) => amount))
      report.equal('payments', subject(`${what}, total`), toText(toBase(said.amount)), toText(total))
    }
    check('received', received, published.received)
    check('paid out', paid, published.paid)
  }
}

const key = (one: { txHash: string; asset: string; amount: bigint }, from: string) =>
  `${one.txHash} ${one.asset} ${one.amount} ${from}`

/** Every payment in a token came with a transfer of as much by its payer in the same transaction. */
export function checkArrivals(report: Report, { payments, arrived }: ChainFacts): void {
  const left = new Map<string, number>()
  for (const one of arrived) left.set(key(one, one.from), (left.get(key(one, one.from)) ?? 0) + 1)
  let missing = 0
  const inTokens = payments.filter(({ asset }) => asset !== 'JU')
  for (const one of inTokens) {
    const count = left.get(key(one, one.payer)) ?? 0
    if (count === 0) missing += 1
    left.set(key(one, one.payer), count - 1)
  }
  report.equal('payments', 'payments in tokens that no transfer brought', 0, missing)
}
