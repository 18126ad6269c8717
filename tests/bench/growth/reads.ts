import { fakeClock } from '@candela/server/kernel/clock'
import { serviceWithoutChain } from '../../../server/test/history/service.ts'
import { seconds } from '../support/figures.ts'
import { BUSY, timeOf } from './fill.ts'
import type { Measure } from './measure.ts'
import { type Ledger, vacuumAndCheckpoint } from './ledger.ts'

const LIMIT = 20
/** How often each list is read in a round. */
const PASSES = 5

const busy = Array.from({ length: BUSY }, (_, member) => member)

type List = { items: readonly unknown[]; nextCursor: string | null }
type Read = () => Promise<List>

export function readMeasures(rounds: number): Measure[] {
  // The same share of the members at each size.
  const shares = Array.from({ length: BUSY }, () => Math.random())
  const measure = (name: string, reads: (ledger: Ledger) => readonly Read[] | Promise<readonly Read[]>): Measure => ({
    figures: [{ name, unit: 'µs a line' }],
    isWarmed: true,
    rounds,
    once: async (ledger) => costOfLine(await reads(ledger)),
  })
  return [
    {
      ...measure('statement, first page, busy member', (ledger) => {
        const { statement } = listsOf(ledger)
        return busy.map((member) => () => statement(member))
      }),
      prepare: vacuumAndCheckpoint,
    },
    measure('statement, tenth page, busy member', tenthPages),
    measure('statement, first page, any member', (ledger) => {
      const { statement } = listsOf(ledger)
      return shares.map((share) => () => statement(Math.floor(share * ledger.world.members)))
    }),
    measure('order list, first page, busy member', (ledger) => {
      const { orders } = listsOf(ledger)
      return busy.map((member) => () => orders(member))
    }),
  ]
}

/** Each from the cursor that ends the ninth page; in a small ledger they have fewer. */
async function tenthPages(ledger: Ledger): Promise<Read[]> {
  const { statement } = listsOf(ledger)
  const reads: Read[] = []
  for (const member of busy) {
    let cursor: string | undefined
    for (let page = 1; page < 10; page++) cursor = (await statement(member, cursor)).nextCursor ?? cursor
    const last = cursor
    reads.push(() => statement(member, last))
  }
  return reads
}

function listsOf({ db, entries, world }: Ledger) {
  const { handlers, contextOf } = serviceWithoutChain(db, fakeClock(timeOf(entries).toISOString()))
  const contextFor = (member: number) => contextOf(world.firstMember + BigInt(member))
  return {
    statement: (member: number, cursor?: string) =>
      handlers['GET statement/list']({ limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) }, contextFor(member)),
    orders: (member: number) => handlers['GET power/orderList']({ limit: LIMIT }, contextFor(member)),
  }
}

async function costOfLine(reads: readonly Read[]): Promise<number[]> {
  let lines = 0
  const spent = await seconds(async () => {
    for (let pass = 0; pass < PASSES; pass++) {
      for (const read of reads) lines += (await read()).items.length
    }
  })
  return [(spent * 1e6) / lines]
}
