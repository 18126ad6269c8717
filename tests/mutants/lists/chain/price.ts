import { inFile, type Mutation } from '../../mutation.ts'

const state = [
  ...inFile('server/src/chain/price/price.ts', [
    { name: 'a price never gets stale', search: "if (stale) return 'stale'\n", replace: '' },
    {
      name: 'a price is stale a little too early',
      search: '> STALE_AFTER_S * 1000',
      replace: '>= STALE_AFTER_S * 1000',
    },
    {
      name: 'a price from the future stays current',
      search: 'Math.abs(now.getTime() - at.getTime())',
      replace: 'now.getTime() - at.getTime()',
    },
    {
      name: 'a halted price is in use',
      search: "if (reference.haltedAt !== null) return 'halted'\n",
      replace: '',
    },
    {
      name: 'an average that has left its day is in use',
      search: ' || deviates(average, dayAverage, HALT_BPS)',
      replace: '',
    },
    {
      name: 'a spot price that is far away is in use',
      search: 'deviates(spot, average, TOLERANCE_BPS) || ',
      replace: '',
    },
    {
      name: 'a paused price can be used',
      search: 'return price.paused ? null : price.average',
      replace: 'return price.average',
    },
    {
      name: 'a worth is rounded down',
      search: 'mulDivUp(amount, average, WHOLE_USDT)',
      replace: '(amount * average) / WHOLE_USDT',
    },
    {
      name: 'a paused price values payments',
      search: 'return paused || average === null ? null :',
      replace: 'return average === null ? null :',
    },
  ]),
  ...inFile('server/src/chain/price/reference.ts', [
    {
      name: 'a price that leaves its day is not halted',
      search: 'deviates(average, dayAverage, HALT_BPS) ? {',
      replace: 'deviates(average, dayAverage, 10_000n * HALT_BPS) ? {',
    },
    {
      name: 'a halted price resumes where it was pushed to',
      search: '!deviates(spot, reference.price, RETURN_BPS) && !deviates(average, reference.price, RETURN_BPS)',
      replace: '!deviates(spot, average, RETURN_BPS)',
    },
    {
      name: 'a halted price resumes while its spot is pushed',
      search: '!deviates(spot, reference.price, RETURN_BPS) && ',
      replace: '',
    },
    {
      name: 'a halted price resumes while its average is pushed',
      search: ' && !deviates(average, reference.price, RETURN_BPS)',
      replace: '',
    },
    {
      name: 'a push stays in the average of the day',
      search: '{ ...reference, since: at, haltedAt: null }',
      replace: '{ ...reference, haltedAt: null }',
    },
    {
      name: 'the average of a young price moves at once',
      search: 'if (seconds >= window_s) return observed',
      replace: 'if (seconds >= 0n) return observed',
    },
  ]),
  ...inFile('server/src/chain/price/resume-price.ts', [
    {
      name: 'a price resumes far from what the operator says',
      search: "if (isFar) return { result: 'elsewhere', price }\n",
      replace: '',
    },
    {
      name: 'a stale price resumes',
      search: "if (price.pauseReason === 'stale')",
      replace: "if (price.asset === 'USDT')",
    },
  ]),
]

const observations = [
  ...inFile('server/src/chain/price/observe-prices.ts', [
    {
      name: 'a pair without liquidity has a price',
      search:
        'if (assetReserve === 0n || usdtReserve === 0n || spotPrice({ assetReserve, usdtReserve }) === 0n) return null\n',
      replace: 'if (assetReserve === 0n) return null\n',
    },
    {
      name: 'the state after a later block is believed',
      search: ' || isAfter(BigInt(reserves[2]), block.timestamp))',
      replace: ')',
    },
    {
      name: 'a pair that is traded while it is read has a price',
      search: 'after.some((value, nth) => value !== reserves[nth]) || ',
      replace: '',
    },
    {
      name: 'a pair of other tokens is believed',
      search: 'if (!isFirst && token1.toLowerCase() !== token) throw',
      replace: 'if (!isFirst && token1.toLowerCase() === token0) throw',
    },
    {
      name: 'observations of another pair stay',
      search: "        where('pair', '!=', observation.pair),\n",
      replace: '',
    },
    {
      name: 'later observations stay after a reorganisation',
      search:
        "        where('block_number', '>=', observation.blockNumber),\n        where('at', '>=', observation.at),\n",
      replace: "        where('at', '=', observation.at),\n",
    },
    {
      name: 'a node that is far behind takes the day back',
      search: 'if (before !== undefined && observation.at < secondsBefore(',
      replace: 'if (before === undefined && observation.at < secondsBefore(',
    },
    {
      name: 'another pair begins a new day',
      search:
        'if (before !== undefined && before.latest.pair !== observation.pair) await carryOver(tx, before, observation)\n',
      replace: '',
    },
    {
      name: 'another pair ends a halt',
      search: '  if (before.reference.haltedAt !== null) return\n',
      replace: '',
    },
    {
      name: 'the day’s first observation is forgotten',
      search: 'at < (\n      select max(at)',
      replace: 'at <= (\n      select max(at)',
    },
  ]),
  ...inFile('server/src/chain/price/facts.ts', [
    {
      name: 'the average of a day reaches back behind a halt',
      search: 'greatest(reference.since, ${secondsAgo(DAY_S)})',
      replace: 'least(reference.since, ${secondsAgo(DAY_S)})',
    },
  ]),
  ...inFile('server/src/chain/price/average-price.ts', [
    {
      name: 'a price below the average never deviates',
      search: 'spot > average ? spot - average : average - spot',
      replace: 'spot > average ? spot - average : 0n',
    },
    {
      name: 'exactly the tolerance deviates',
      search: 'distance * 10_000n > average',
      replace: 'distance * 10_000n >= average',
    },
    { name: 'a sum that wrapped around is negative', search: '((value % by) + by) % by', replace: 'value % by' },
    { name: 'the time since the last trade is left out', search: 'price * elapsed_s, WRAP', replace: 'price, WRAP' },
    {
      name: 'an empty pair has a price',
      search: 'if (pair.assetReserve <= 0n || pair.usdtReserve <= 0n)',
      replace: 'if (pair.assetReserve <= 0n)',
    },
  ]),
]

const use = inFile('server/src/chain/price/use-price.ts', [
  { name: 'a paused price is used', search: 'if (paused || average', replace: 'if (average' },
  { name: 'an average of zero is used', search: 'average <= 0n ||', replace: 'average < 0n ||' },
  { name: 'a spot of zero is used', search: '|| spot <= 0n)', replace: '|| spot < 0n)' },
  {
    name: 'the lower price is the higher one',
    search: 'average < spot ? average',
    replace: 'average > spot ? average',
  },
  {
    name: 'the higher price is the lower one',
    search: 'average > spot ? average',
    replace: 'average < spot ? average',
  },
  { name: 'collateral is sold at a stale price', search: "pauseReason === 'stale' || median5", replace: 'median5' },
  { name: 'limits count at a stale price', search: "pauseReason === 'stale' || average", replace: 'average' },
  {
    name: 'limits count at the lowest of paused prices',
    search: 'price > highest ? price',
    replace: 'price < highest ? price',
  },
  {
    name: 'a price that is walked up for a week lends',
    search: 'lowestOf(price, leveragePrice(price), price.weekAverage)',
    replace: 'lowestOf(price, leveragePrice(price), price.dayAverage)',
  },
  {
    name: 'a price that is held up for an hour is leveraged at',
    search: 'lowestOf(price, lowerPrice(price), price.dayAverage)',
    replace: 'lowestOf(price, lowerPrice(price), price.average)',
  },
  { name: 'new debt counts at the higher average', search: 'other < price ? other', replace: 'other > price ? other' },
  {
    name: 'sales at a line do not wait for spot',
    search: 'median5 === null || deviates(spot, median5, AWAY_BPS)',
    replace: 'median5 === null',
  },
])

const measure = [
  ...inFile('server/src/chain/price/measure-pair.ts', [
    {
      name: 'a pushed pair raises what the desk may take',
      search: "filter (where quarter > ${at}::timestamptz - interval '1 day')",
      replace: 'filter (where quarter >= (select max(quarter) from pair_quarter where asset = ${asset}))',
    },
    {
      name: 'a pushed pair raises its depth',
      search: 'percentile_disc(0.1) within group (order by usdt) filter (where quarter > ${weekAgo})',
      replace: 'percentile_disc(1.0) within group (order by usdt) filter (where quarter > ${weekAgo})',
    },
    {
      name: 'a block counts as much as a quarter of an hour',
      search: 'div(sum(usdt_reserve * seconds), sum(seconds))',
      replace: 'min(usdt_reserve)',
    },
    { name: 'another pair’s depth stays', search: "        where('pair', '!=', pair),\n", replace: '' },
    {
      name: 'the average of a week begins with the pair',
      search: 'coalesce(max(at) filter (where at <= ${weekAgo}), min(at))',
      replace: 'min(at)',
    },
  ]),
  ...inFile('server/src/chain/price/average-price.ts', [
    {
      name: 'the median is the highest price',
      search: 'if (2n * passed >= total) return price',
      replace: 'if (passed >= total) return price',
    },
    {
      name: 'what was before the five minutes weighs in the median',
      search: 'earlier.at < begin ? begin : earlier.at',
      replace: 'earlier.at',
    },
  ]),
]

export const priceMutations: readonly Mutation[] = [...state, ...observations, ...use, ...measure]
