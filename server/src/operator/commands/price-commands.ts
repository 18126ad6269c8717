import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import type { PricedAsset } from '../../chain/price/facts.ts'
import { type Price, readPrices } from '../../chain/price/price.ts'
import { resumePrice, type Resumption } from '../../chain/price/resume-price.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Bindings } from '../run.ts'

const pricedAssets: readonly PricedAsset[] = ['JU', 'HASH']

export const priceCommands: Bindings<'price list' | 'price resume'> = {
  'price list': async (tx, _input, { now }) => {
    const prices = await readPrices(tx, now)
    return pricedAssets.map((asset) => lineOf(prices[asset]))
  },
  'price resume': async (tx, { asset, price }, { now }) => {
    const resumption = await resumePrice(tx, readAsset(asset), readPrice(price), now)
    if (resumption.result !== 'resumed') throw refused(resumption)
    const { spot, average, dayAverage } = resumption.price
    return { asset, spot: text(spot), halfHour: text(average), dayBefore: text(dayAverage), day: price }
  },
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
