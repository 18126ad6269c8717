import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../../kernel/clock.ts'
import { uuidFromName } from '../../../kernel/ids.ts'
import { silentLog } from '../../../kernel/log.ts'
import { hasOpenFindings } from '../../../ledger/audit/findings.ts'
import { auditAll } from '../../../ledger/audit/testing-round.ts'
import { memberAccount, platformAccount } from '../../../ledger/chart.ts'
import { post } from '../../../ledger/post.ts'
import { testMemo } from '../../../ledger/testing/testing-memo.ts'
import { startOperators, type TestOperators } from '../../testing-operators.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ asOwner: true })
})
afterAll(() => database.drop())

const clock = fakeClock('2026-03-01T12:00:00Z')

let operators: TestOperators
const candela = (...line: string[]): Promise<unknown> => operators.give('ada', ...line)

test('operators see what the audit found, and two of them accept what is explained, which is written down', async () => {
  const { db } = database
  operators = await startOperators(database.url, clock)
  const audit = () => auditAll({ db, clock, log: silentLog() })
  await expect(candela('ledger')).rejects.toThrow('there was no whole audit yet')
  const [debit, credit] = [platformAccount('custody', 'JU'), memberAccount(1n, 'memberAvailable', 'JU')]
  const legs = [{ debit, credit, amount: 5n }]
  const occurredAt = clock.now()
  await transaction(db, (tx) =>
    post(tx, { id: uuidFromName('audited'), kind: 'deposit', legs, memo: testMemo(), occurredAt }),
  )
  await audit()
  expect(await candela('ledger')).toEqual({ findings: 'none', lastAudit: clock.now().toISOString() })
  await sql`update ledger_account set balance = 6 where id = ${credit}`.execute(db)
  await audit()
  const [found] = (await candela('ledger')) as { id: string }[]
  expect(found).toMatchObject({ rule: 'each balance is that of the last entry', subject: `account ${credit}` })
  await expect(candela('ledger', 'accept', '99', '--note', 'x')).rejects.toThrow('there is no open finding 99')
  expect(await hasOpenFindings(db)).toBe(true)
  await candela('ledger', 'accept', found?.id ?? '', '--note', 'a test')
  expect(await hasOpenFindings(db)).toBe(true)
  await operators.give('bob', 'ledger', 'accept', found?.id ?? '', '--note', 'a test')
  await audit()
  expect(await hasOpenFindings(db)).toBe(false)
  const rows = await db.selectFrom('operator_audit').select(['operator', 'command', 'input']).execute()
  expect(rows.at(-1)).toEqual({ operator: 'bob', command: 'ledger accept', input: { id: found?.id, note: 'a test' } })
  clock.advance(7_200_001)
  await expect(candela('ledger')).rejects.toThrow('the last audit is of 2026-03-01')
})
