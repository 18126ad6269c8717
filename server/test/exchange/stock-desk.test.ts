import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { transaction } from '@candela/server/db/open'
import { fakeClock } from '@candela/server/kernel/clock'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { addressOf, recordPayment, WHOLE } from '@candela/server/modules/power/testing'
import { expect, test } from 'vitest'
import { addOperators, give } from '@candela/devnet/seed/operators'
import { listSuspense } from '@candela/server/modules/deposit/list-suspense'
import { stockDesk } from '@candela/devnet/seed/stock-desk'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

const payments = { payer: addressOf(1), reference: 'desk-stock', count: 3 }
const clock = fakeClock('2026-03-01T12:00:00.000Z')

const timesThree = (act: { operator: string; outcome: string }) => [act, act, act]

test('cut short between payments, the next run goes on and gives each once; strangers’ payments stay', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await using folder = await temporaryFolder()
  const installation = { databaseUrl: database.url, dataDir: folder.path, clock }
  await addOperators(db, installation)
  const arrive = async (asset: 'JU' | 'USDT' | 'HASH', amount: bigint, payer = payments.payer) => {
    const credited = { state: 'credited', outcome: 'suspense', credited_at: clock.now() } as const
    await recordPayment(db, { reference: 'desk-stock', asset, amount, payer, action: 'deposit', ...credited })
    const leg = { debit: platformAccount('custody', asset), credit: platformAccount('suspense', asset), amount }
    const id = `00000000-0000-8000-8000-${(amount / WHOLE).toString().padStart(12, '0')}`
    await transaction(db, (tx) =>
      post(tx, { id, kind: 'suspense', legs: [leg], memo: testMemo(), occurredAt: clock.now() }),
    )
  }
  await arrive('JU', 40n * WHOLE)
  await arrive('USDT', 7n * WHOLE, addressOf(2))
  const cut = new AbortController()
  const first = stockDesk(db, installation, payments, cut.signal)
  await expect.poll(() => accountBalance(db, platformAccount('deskInventory', 'JU'))).toBe(40n * WHOLE)
  cut.abort(new Error('killed'))
  await expect(first).rejects.toThrow('killed')

  await arrive('USDT', 200n * WHOLE)
  await arrive('HASH', 250n * WHOLE)
  // Cut short between the two signatures.
  const signedOnce = (await listSuspense(db, { skip: 0, limit: 9 })).find(({ asset }) => asset === 'HASH')
  await give(installation, 'first', ['suspense', 'assign', String(signedOnce?.id), '--to', 'desk'])
  const going = new AbortController().signal
  expect(await stockDesk(db, installation, payments, going)).toEqual({ added: 2, missing: 0 })
  expect(await stockDesk(db, installation, payments, going)).toEqual({ added: 0, missing: 0 })
  const stock = await Promise.all(
    (['JU', 'USDT', 'HASH'] as const).map((asset) => accountBalance(db, platformAccount('deskInventory', asset))),
  )
  expect(stock).toEqual([40n * WHOLE, 200n * WHOLE, 250n * WHOLE])
  expect(await accountBalance(db, platformAccount('suspense', 'USDT'))).toBe(7n * WHOLE)
  const acts = await db
    .selectFrom('operator_audit')
    .select(['operator', 'outcome'])
    .where('command', '=', 'suspense assign')
    .orderBy('outcome', 'desc')
    .execute()
  expect(acts).toEqual([
    ...timesThree({ operator: 'first', outcome: 'proposed' }),
    ...timesThree({ operator: 'second', outcome: 'done' }),
  ])
  expect(await auditLedger(db)).toEqual([])
})

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'candela-stock-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
