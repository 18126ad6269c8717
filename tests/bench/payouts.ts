/**
 * Withdrawals paid in an hour with a full queue, against 16 in each block, which is as many transactions of one account as nodes keep. Prints
 * for each time between blocks the blocks that it took, and the ratio.
 *
 *   npx node tests/bench/payouts.ts [--seconds 1,3,5] [--blocks 20] [--poll 1000]
 *
 * A server as production runs it, with a Postgres (fsync on) and a chain that mines by time. Each member has one withdrawal. The blocks are
 * counted from the first that has a payment to the last. `--poll` is POLL_INTERVAL_MS.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { openDatabase, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { memberAccount } from '@candela/server/ledger/chart'
import { postNew } from '@candela/server/ledger/post'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { insertWithdrawal } from '@candela/server/modules/withdraw/insert-withdrawal'
import { MAX_IN_FLIGHT } from '@candela/server/modules/withdraw/payout/in-flight'
import { payerKey, type TestChain } from '@candela/testing/chain/test-chain'
import { readFlags } from '../../scripts/usage.ts'
import { print } from './support/figures.ts'
import { addMembers } from './support/people.ts'
import { startPlace, startServer } from './support/service.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    seconds: { type: 'string', default: '1,3,5' },
    blocks: { type: 'string', default: '20' },
    poll: { type: 'string', default: '1000' },
  },
})
const WHOLE = 10n ** 18n
const AMOUNT = 2n * WHOLE
const FEE = WHOLE / 100n
const count = Number(flags.blocks) * MAX_IN_FLIGHT
const ids = systemIds(systemClock)

/** How many blocks it took to pay all of them. */
async function measure(seconds: number): Promise<number> {
  const place = await startPlace()
  const { chain } = place
  const server = await startServer(place, { env: { PAYER_KEY: payerKey, POLL_INTERVAL_MS: flags.poll } })
  const db = openDatabase({ url: place.postgres.url(), log: silentLog() })
  try {
    const queued = await queueWithdrawals(db, chain)
    await chain.client.setIntervalMining({ interval: seconds })
    await transaction(db, async (tx) => {
      for (const one of queued)
        await insertWithdrawal(tx, one, { worth: WHOLE, approvals: 0, reason: null }, new Date())
    })
    const paid = () =>
      db
        .selectFrom('chain_event')
        .select((eb) => [
          eb.fn.countAll<bigint>().as('count'),
          eb.fn.min('block_number').as('first'),
          eb.fn.max('block_number').as('last'),
        ])
        .where('action', '=', 'paid')
        .executeTakeFirstOrThrow()
    for (;;) {
      const { count: done, first, last } = await paid()
      if (Number(done) === count) return Number(last) - Number(first) + 1
      await sleep(seconds * 500)
    }
  } finally {
    await db.destroy()
    await server.stop()
    await place.stop()
  }
}

type Queued = Parameters<typeof insertWithdrawal>[1]

/** Members with money, and what each of them asks for. */
async function queueWithdrawals(db: ReturnType<typeof openDatabase>, chain: TestChain): Promise<Queued[]> {
  const [rich, ...members] = await addMembers(db, count + 1)
  const { memberId: richId, address } = must(rich, 'a member that gives the others money')
  const amount = AMOUNT * BigInt(count)
  await chain.pay({ asset: NATIVE_ASSET, amount, customer: address })
  for (;;) {
    await chain.mine()
    const credited = await db
      .selectFrom('chain_event')
      .select('id')
      .where('credited_at', 'is not', null)
      .executeTakeFirst()
    if (credited !== undefined) break
    await sleep(200)
  }
  const gifts = members.map(({ memberId }) => ({
    id: ids.uuid(),
    kind: 'deposit' as const,
    legs: [
      {
        debit: memberAccount(richId, 'memberAvailable', 'JU'),
        credit: memberAccount(memberId, 'memberAvailable', 'JU'),
        amount: AMOUNT,
      },
    ],
    memo: testMemo(),
    occurredAt: new Date(),
  }))
  await transaction(db, (tx) => postNew(tx, gifts))
  return members.map(({ memberId, address: to }) => ({
    withdrawalNo: ids.orderNumber(),
    payoutId: `0x${ids.uuid().replaceAll('-', '')}${'0'.repeat(32)}`,
    memberId,
    asset: 'JU' as const,
    amount: AMOUNT,
    fee: FEE,
    to,
  }))
}

for (const seconds of flags.seconds.split(',').map(Number)) {
  const blocks = await measure(seconds)
  const ratio = Number(flags.blocks) / blocks
  const hour = (count / (blocks * seconds)) * 3_600
  print(
    `blocks of ${seconds} s: ${count} withdrawals in ${blocks} blocks, ${Math.round(hour)} an hour, ${ratio.toFixed(2)} of ${MAX_IN_FLIGHT} in each block`,
  )
}
