import { randomInt } from 'node:crypto'
import { transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds, timeOfId, uuidFromName } from '@candela/server/kernel/ids'
import { memberAccount } from '@candela/server/ledger/chart'
import { type Posting, postBatch } from '@candela/server/ledger/post'
import { sql } from 'kysely'
import { seconds } from '../support/figures.ts'
import { BUSY } from './fill.ts'
import type { Measure } from './measure.ts'
import { CLIENTS, type Ledger, vacuumAndCheckpoint } from './ledger.ts'

const ids = systemIds(systemClock)
const PER_BATCH = 100

type Options = {
  rounds: number
  /** The batches of a round. */
  batches: number
  /** Ids that have no time in them: what the index of ids costs then. */
  hasRandomIds: boolean
}

export function postingMeasures(options: Options): Measure[] {
  const measure = (perBatch: number, batches: number, when: 'just after a checkpoint' | 'later'): Measure => ({
    figures: [
      { name: `posting, ${perBatch} a transaction, ${when}`, unit: 'µs a posting' },
      { name: `write-ahead log, ${perBatch} a transaction, ${when}`, unit: 'bytes a posting' },
    ],
    isWarmed: true,
    rounds: options.rounds,
    ...(when === 'later' ? {} : { prepare: vacuumAndCheckpoint }),
    once: (ledger) => postTransfers(ledger, perBatch, batches, options.hasRandomIds),
  })
  return [
    measure(PER_BATCH, options.batches, 'just after a checkpoint'),
    measure(PER_BATCH, options.batches, 'later'),
    measure(1, options.batches * 10, 'later'),
  ]
}

/** Microseconds and bytes of the log for each posting, of all clients together. */
async function postTransfers(
  { db, world }: Ledger,
  perBatch: number,
  batches: number,
  hasRandomIds: boolean,
): Promise<number[]> {
  const rich = Math.floor(world.members / 10)
  const available = (member: number) => memberAccount(world.firstMember + BigInt(member), 'memberAvailable', 'USDT')
  const transfer = (): Posting => {
    const giver = Math.random() < 0.1 ? randomInt(BUSY) : randomInt(rich)
    const taker = Math.random() < 0.5 ? randomInt(rich) : randomInt(world.members)
    const requestId = ids.uuid()
    return {
      id: uuidFromName(`transfer:${giver}:${requestId}`, hasRandomIds ? undefined : timeOfId(requestId)),
      kind: 'transfer',
      legs: [
        {
          debit: available(giver),
          credit: available(taker === giver ? (taker + 1) % world.members : taker),
          amount: 1n,
        },
      ],
      memo: {
        transferNo: requestId,
        from: `0x${'a'.repeat(40)}`,
        fromUid: '10001',
        to: `0x${'b'.repeat(40)}`,
        toUid: '10002',
        requestId,
        deadline: '2026-03-01T00:00:00.000Z',
        signature: `0x${'ab'.repeat(65)}`,
      },
      occurredAt: systemClock.now(),
    }
  }
  const work = Array.from({ length: batches }, () => Array.from({ length: perBatch }, transfer))
  const queue = work.values()
  const client = async () => {
    for (const batch of queue) {
      const outcomes = await transaction(db, (tx) => postBatch(tx, batch))
      if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error('a transfer was not posted')
    }
  }
  const before = await logPosition(db)
  const spent = await seconds(() => Promise.all(Array.from({ length: CLIENTS }, client)))
  const logged = (await logPosition(db)) - before
  await sql`select ledger_roll_up()`.execute(db)
  return [(spent * 1e6) / (batches * perBatch), logged / (batches * perBatch)]
}

async function logPosition(db: Ledger['db']): Promise<number> {
  const { rows } = await sql<{ position: bigint }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as position`.execute(db)
  return Number(must(rows[0], 'a function answers').position)
}
