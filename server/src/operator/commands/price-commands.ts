import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import type { PricedAsset } from '../../chain/price/facts.ts'
import { type Price, readPrices } from '../../chain/price/price.ts'
import { resumePrice, type Resumption } from '../../chain/price/resume-price.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Run } from '../run.ts'

const pricedAssets: readonly PricedAsset[] = ['JU', 'HASH']

export function addPrices(program: Command, run: Run): void {
  const group = program.command('price').description('prices of the pairs on chain, and whether they are in use')
  group
    .command('list', { isDefault: true })
    .description('each price in USDT, with what it is compared with')
    .action(() =>
      run({ command: 'price list', signers: 0 }, {}, async (tx, now) => {
        const prices = await readPrices(tx, now)
        return pricedAssets.map((asset) => lineOf(prices[asset]))
      }),
    )
  group
    .command('resume')
    .description('use a halted price again, because the market really moved there')
    .argument('<asset>', pricedAssets.join(' or '))
    .argument('<price>', 'what one is worth in USDT, as found elsewhere; the pair must be within 10 % of it')
    .requiredOption('--note <text>', 'where it was found')
    .action((asset: string, price: string, { note }: { note: string }) =>
      run({ command: 'price resume', signers: 2 }, { asset, price, note }, async (tx, now) => {
        const resumption = await resumePrice(tx, readAsset(asset), readPrice(price), now)
        if (resumption.result !== 'resumed') throw refused(resumption)
        const { spot, average, dayAverage } = resumption.price
        return { asset, spot: text(spot), halfHour: text(average), dayBefore: text(dayAverage), day: price }
      }),
    )
}

const text = (amount: bigint | null) => (amount === null ? null : fromBaseUnits(amount))

const lineOf = (price: Price) => ({
  asset: price.asset,
  state: price.paused ? price.pauseReason : 'in use',
  spot: text(price.spot),
  fiveMinutes: text(price.average5),
  fiveMinutesMedian: text(price.median5),
  halfHour: text(price.average),
  day: text(price.dayAverage),
  week: text(price.weekAverage),
  pairUsdt: text(price.liquidity),
  depth: text(price.depth?.usdt ?? null),
  observedSince: price.depth?.since ?? null,
  observedAt: price.observedAt,
})

function refused({ result, price }: Resumption): OperatorError {
  const { asset, spot, average, observedAt } = price
  if (result === 'notHalted')
    return new OperatorError(`the price of ${asset} is not halted: there is nothing to resume`)
  if (result === 'stale') {
    return new OperatorError(
      `the last block seen is of ${observedAt?.toISOString()}: the node does not answer, or stands`,
    )
  }
  return new OperatorError(
    `${asset} is at ${text(spot)} USDT on chain, ${text(average)} over half an hour: more than 10 % from that price`,
  )
}

function readAsset(name: string): PricedAsset {
  const asset = pricedAssets.find((one) => one === name)
  if (asset !== undefined) return asset
  throw new OperatorError(`"${name}" has no price of its own: there are ${pricedAssets.join(' and ')}`)
}

function readPrice(words: string): bigint {
  const parsed = parseAmount(words)
  if (parsed.ok && parsed.amount > 0n) return parsed.amount
  throw new OperatorError(`"${words}" is not a price`)
}
