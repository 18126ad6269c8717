import { MINUTE_MS } from '@candela/protocol/units'
import { agreement, majorityHead } from '@candela/server/chain/nodes/agree'
import { listDisputes } from '@candela/server/chain/nodes/disputes'
import { readPrices } from '@candela/server/chain/price/price'
import { nodeGauges } from '@candela/server/chain/nodes/gauges'
import { composeUpkeep } from '@candela/server/jobs/compose-work'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type LieAbout, otherResults, standsAt, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { numberToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PayoutScenario, startPayoutScenario } from '../payouts-scenario.ts'

type Proxy = Awaited<ReturnType<typeof startLyingProxy>>
const honest: LieAbout = () => null

let chain: TestChain
let first: Proxy
let second: Proxy
let pairs: Awaited<ReturnType<TestChain['openPairs']>>
/** The answer of the first of the nodes; the others tell the truth. */
let firstTells = honest
let calls = 0
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
  first = await startLyingProxy(chain.url, (asked) => firstTells(asked))
  second = await startLyingProxy(chain.url, (asked) => {
    calls += asked.length
    return null
  })
  pairs = await chain.openPairs({ hash: 100n * WHOLE, hashUsdt: 50n * WHOLE, ju: 100n * WHOLE, juUsdt: 300n * WHOLE })
})
afterAll(async () => {
  await first[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await chain.stop()
})

const urlsOf = (count: number) => [first.url, second.url, chain.url].slice(0, count)

/** Does what the service does each few seconds, and what follows from it. */
function observing({ observedDb: db, clock, nodes, testLog: log }: PayoutScenario) {
  const config = { ...pairs, hash: chain.hash, wju: chain.wju }
  const most =
    nodes.all.length === 1
      ? undefined
      : { agree: agreement({ db, clock, log }, nodes), head: () => majorityHead(nodes) }
  const { observePrices } = composeUpkeep({ db, client: nodes.client, log, config, most })
  return {
    observe: async () => {
      await chain.mine(5)
      await observePrices()
    },
    spots: async () => {
      const { HASH, JU } = await readPrices(db, clock.now())
      return [HASH.spot, JU.spot]
    },
    seen: async () => {
      const found = await db.selectFrom('price_observation').select('block_number').orderBy('block_number').execute()
      return found.map((row) => row.block_number)
    },
  }
}

/** How many nodes the alarm names now, 59 minutes later, and after the hour. */
async function outvoted({ db, nodes, clock }: PayoutScenario): Promise<number[]> {
  const start = clock.now()
  const gauge = nodeGauges(db, nodes, clock).find(({ name }) => name === 'candela_nodes_outvoted')
  const counts: number[] = []
  for (const minutes of [0, 59, 61]) {
    clock.set(new Date(start.getTime() + minutes * MINUTE_MS))
    counts.push((await gauge?.read()) ?? NaN)
  }
  clock.set(start)
  return counts
}

const right = [WHOLE / 2n, 3n * WHOLE]
const GET_RESERVES = toFunctionSelector('getReserves()')
/** A node on which pairs hold two thousand times as much of their first token. */
const saysOther = otherResults(({ method, params }, { result }) => {
  const [call] = params as [{ data?: string }?]
  if (method !== 'eth_call' || call?.data !== GET_RESERVES) return undefined
  const text = String(result)
  const more = BigInt(text.slice(0, 66)) * 2_000n
  return `0x${more.toString(16).padStart(64, '0')}${text.slice(66)}`
})

test('a price that one node makes up is believed where it is the only one, and else not stored or outvoted', async () => {
  for (const [count, whileLying] of [
    [1, 'other'],
    [2, 'none'],
    [3, 'right'],
  ] as const) {
    await using scenario = await startPayoutScenario(chain, urlsOf(count))
    const { observe, spots } = observing(scenario)
    /** Whether the second node is asked what one node is enough for. */
    const isSecondAsked = async () => {
      calls = 0
      await scenario.nodes.client.getBlockNumber()
      return calls > 0
    }
    expect(await isSecondAsked()).toBe(false)
    firstTells = saysOther
    await observe()
    await observe()
    expect([count, await isSecondAsked()]).toEqual([count, count === 3])
    firstTells = honest
    const found = await spots()
    const kind = found[0] === null ? 'none' : found[0] === right[0] ? 'right' : 'other'
    expect([count, kind]).toEqual([count, whileLying])
    const disputes = (await listDisputes(scenario.db)).map(({ decision }) => decision)
    expect(disputes).toEqual(count === 2 ? ['prices all'] : [])
    expect([count, scenario.log().match(/node\.outvoted/g)?.length, await outvoted(scenario)]).toEqual(
      count === 3 ? [3, 1, [1, 1, 0]] : [count, undefined, [0, 0, 0]],
    )
    if (count === 1) continue
    calls = 0
    await observe()
    expect(calls).toBe(19)
    expect(await spots()).toEqual(right)
    expect(await listDisputes(scenario.db)).toEqual([])
  }
})

test('a node that stands still or goes back holds nothing up among three, and of two takes back nothing', async () => {
  for (const count of [2, 3]) {
    await using scenario = await startPayoutScenario(chain, urlsOf(count))
    const { observe, seen } = observing(scenario)
    await observe()
    const past = await chain.client.getBlock()
    await observe()
    await observe()
    const before = await seen()
    expect(before).toHaveLength(6)
    const raw = await chain.client.request<{ Method: string; Parameters: unknown[]; ReturnType: { number: string } }>({
      method: 'eth_getBlockByNumber',
      params: [numberToHex(past.number), false],
    })
    firstTells = standsAt(raw)
    await observe()
    firstTells = honest
    const after = await seen()
    expect(after.slice(0, 6)).toEqual(before)
    expect([count, after.length]).toEqual([count, count === 2 ? 6 : 8])
  }
})
