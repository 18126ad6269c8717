import { randomUUID } from 'node:crypto'
import { assetCodes } from '@candela/protocol/money/assets'
import { transaction } from '@candela/server/db/open'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { goodForms } from './api-inputs.ts'
import { codeOf, keys, startApiScenario } from './api-scenario.ts'

const THIEF = `0x${'bad0'.repeat(10)}`
const CALLS_EACH = 25

test('who has nothing but a token of somebody’s gets nothing out of any endpoint', async () => {
  await using api = await startApiScenario()
  const { db, memberId: victim } = api
  const thief = await addMember(db, THIEF)
  for (const asset of assetCodes) {
    const leg = { debit: platformAccount('custody', asset), credit: memberAccount(victim, 'memberAvailable', asset) }
    const posting = { id: randomUUID(), kind: 'deposit' as const, memo: {}, occurredAt: new Date() }
    await transaction(db, (tx) => post(tx, { ...posting, legs: [{ ...leg, amount: 1_000_000n * WHOLE }] }))
  }
  let asked = 0
  for (const key of keys) {
    for (const form of fc.sample(goodForms(key), { numRuns: CALLS_EACH, seed: 20_261_121 })) {
      // Every field that could name where value goes names the thief; amounts are what the victim has.
      const aimed = Object.entries(form).map(([name, value]) => {
        if (['to', 'address', 'customer', 'recipient'].includes(name)) return [name, THIEF]
        if (name === 'amount') return [name, '10']
        if (name === 'deadline') return [name, new Date(Date.now() + 60_000).toISOString()]
        return [name, value]
      })
      const code = codeOf(await api.call(key, Object.fromEntries(aimed)))
      if (key === 'POST transfer/index') expect(code).toBe(4005)
      asked += 1
    }
  }
  expect(asked).toBe(keys.length * CALLS_EACH)
  // Nobody but the victim has an entry, and what the victim may have been made to withdraw goes to the victim's wallet.
  const { rows } = await sql<{ owner: bigint }>`
    select distinct account / 100000 as owner from ledger_entry where account >= 100000`.execute(db)
  expect(rows).toEqual([{ owner: victim }])
  expect(rows).not.toContainEqual({ owner: thief })
  const { address } = await db.selectFrom('member').select('address').where('id', '=', victim).executeTakeFirstOrThrow()
  const payouts = await db.selectFrom('withdrawal').select('to_address').execute()
  expect(payouts.filter(({ to_address }) => to_address !== address)).toEqual([])
  expect(await auditLedger(db)).toEqual([])
})
