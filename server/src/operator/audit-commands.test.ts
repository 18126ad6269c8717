import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, transaction } from '../db/open.ts'
import { createTestDatabase, type TestDatabase } from '../db/testing.ts'
import { fakeClock } from '../kernel/clock.ts'
import { uuidFromName } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { hasOpenFindings } from '../ledger/audit/findings.ts'
import { auditAll } from '../ledger/audit/testing-round.ts'
import { memberAccount, platformAccount } from '../ledger/chart.ts'
import { post } from '../ledger/post.ts'
import { testMemo } from '../ledger/testing-memo.ts'
import { runCommand } from './run-command.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const clock = fakeClock('2026-03-01T12:00:00Z')

async function candela(...line: string[]): Promise<unknown> {
  let out = ''
  await runCommand(['--json', ...line], {
    clock,
    operator: 'ada',
    openDatabase: () => Promise.resolve(openDatabase({ url: database.url, log: silentLog(), poolSize: 1 })),
    write: (text) => (out += text),
    writeError: () => undefined,
  })
  return JSON.parse(out)
}

test('the operator sees what the audit found, and accepts what is explained, which is written down', async () => {
  const { db } = database
  const audit = () => auditAll({ db, clock, log: silentLog() })
  await expect(candela('audit')).rejects.toThrow('there was no whole audit yet')
  const [debit, credit] = [platformAccount('custody', 'JU'), memberAccount(1n, 'memberAvailable', 'JU')]
  const legs = [{ debit, credit, amount: 5n }]
  const occurredAt = clock.now()
  await transaction(db, (tx) =>
    post(tx, { id: uuidFromName('audited'), kind: 'deposit', legs, memo: testMemo(), occurredAt }),
  )
  await audit()
  expect(await candela('audit')).toEqual({ findings: 'none', lastAudit: clock.now().toISOString() })
  await sql`update ledger_account set balance = 6 where id = ${credit}`.execute(db)
  await audit()
  const [found] = (await candela('audit')) as { id: string }[]
  expect(found).toMatchObject({ rule: 'each balance is that of the last entry', subject: `account ${credit}` })
  await expect(candela('audit', 'accept', '99', '--note', 'x')).rejects.toThrow('there is no open finding 99')
  expect(await hasOpenFindings(db)).toBe(true)
  await candela('audit', 'accept', found?.id ?? '', '--note', 'a test')
  await audit()
  expect(await hasOpenFindings(db)).toBe(false)
  const rows = await db.selectFrom('operator_audit').select(['operator', 'command', 'input']).execute()
  expect(rows.at(-1)).toEqual({ operator: 'ada', command: 'audit accept', input: { id: found?.id, note: 'a test' } })
  clock.advance(7_200_001)
  await expect(candela('audit')).rejects.toThrow('the last audit is of 2026-03-01')
})
