import { randomUUID } from 'node:crypto'
import { withFixedPrices } from '../../chain/price/testing/fixed-prices.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { testMemo } from '../../ledger/testing/testing-memo.ts'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { projectHandlers } from '../../modules/lending/project/endpoints.ts'
import { addLent, lockProject } from '../../modules/lending/project/lend.ts'
import { startOperators } from '../testing-operators.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const words = (changed: Record<string, string> = {}): string[] =>
  Object.entries({
    'name-zh': '质押借款',
    'name-tw': '質押借款',
    'name-en': 'Secured loan',
    'information-zh': '说明',
    'information-tw': '說明',
    'information-en': 'Information',
    collateral: 'HASH',
    total: '1000',
    rate: '0.09',
    'initial-rate': '0.5',
    'safety-line': '0.75',
    'clearing-line': '0.85',
    ...changed,
  }).flatMap(([name, value]) => [`--${name}`, value])

/** A pair of 9,000 USDT, of which 20 % may be owed, and 700 USDT are in the fund. */
const fixed = () => ({ JU: null, HASH: { average: WHOLE_UNIT, liquidity: 9_000n * WHOLE_UNIT } })

test('two operators open a project, members see it, and one operator closes it', async () => {
  const { db } = database
  const operators = await startOperators(database.url, fakeClock('2026-03-01T00:00:00Z'))
  const create = (changed?: Record<string, string>) =>
    operators.both<{ projectNo: string }>('project', 'create', ...words(changed))
  await expect(create({ 'clearing-line': '0.7' })).rejects.toThrow('--clearing-line: must be above the safety line')
  await expect(create({ 'initial-rate': '2' })).rejects.toThrow('--initial-rate: must be a fraction')
  await expect(create({ total: 'much' })).rejects.toThrow('--total')

  const priced = withFixedPrices(db, fixed, { now: () => new Date('2026-03-01T00:00:00Z') })
  await transaction(db, (tx) =>
    post(tx, {
      id: randomUUID(),
      kind: 'deposit',
      legs: [
        {
          debit: platformAccount('custody', 'USDT'),
          credit: platformAccount('fundIdle', 'USDT'),
          amount: 700n * WHOLE_UNIT,
        },
      ],
      memo: testMemo(),
      occurredAt: new Date('2026-03-01T00:00:00Z'),
    }),
  )
  const handlers = projectHandlers({ db: priced })
  const context = {
    lang: 'en' as const,
    callId: 'test',
    now: new Date('2026-03-01T00:00:00Z'),
    clientAddress: '127.0.0.1',
    userAgent: 'test',
    memberId: 1n,
    sessionId: '00000000-0000-4000-8000-000000000000',
  }
  expect(await handlers['GET project/list']({}, context)).toEqual({ items: [] })
  const { projectNo } = await create()
  const { project } = await handlers['GET project/detail']({ projectNo }, context)
  expect(project).toMatchObject({
    name: { zh: '质押借款', tw: '質押借款', en: 'Secured loan' },
    collateralAsset: 'HASH',
    total: '1000',
    borrowed: '0',
    available: '700',
    ceiling: { depth: '9000', observedSince: '1970-01-01T00:00:00.000Z', all: '1800', member: '360', owed: '0' },
    rate: '0.09',
    initialRate: '0.5',
    safetyLine: '0.75',
    clearingLine: '0.85',
    minLoan: '10',
    termDays: [30, 90, 180, 360],
    interestEarned: '0',
    charges: { lateRate: '0.0005', graceDays: 3, defaultDays: 60, liquidationFee: '0.02', fullBelow: '2000' },
    open: true,
  })
  expect(await handlers['GET project/list']({}, context)).toEqual({ items: [project] })

  const picture = 'https://pictures.example.org/loan.webp'
  expect(project.picture).toBeNull()
  await operators.give('ada', 'project', 'picture', projectNo, picture)
  expect((await handlers['GET project/detail']({ projectNo }, context)).project.picture).toBe(picture)
  await operators.give('ada', 'project', 'picture', projectNo, 'none')
  expect((await handlers['GET project/detail']({ projectNo }, context)).project.picture).toBeNull()
  await expect(operators.give('ada', 'project', 'picture', '20260101UNKNOWN', picture)).rejects.toThrow('no project')
  await expect(operators.give('ada', 'project', 'picture', projectNo, 'http://a.b')).rejects.toThrow('https')

  await transaction(db, async (tx) => {
    const { id } = await lockProject(tx, projectNo)
    await addLent(tx, id, { principal: 600n * WHOLE_UNIT, interest: 3n * WHOLE_UNIT })
    await addLent(tx, id, { principal: -100n * WHOLE_UNIT, interest: 0n })
  })
  const [listed] = (await handlers['GET project/list']({}, context)).items
  expect(listed).toMatchObject({ borrowed: '500', available: '500', interestEarned: '3' })

  await expect(operators.give('ada', 'project', 'close', '20260101UNKNOWN')).rejects.toThrow('no open project')
  await operators.give('ada', 'project', 'close', projectNo)
  await expect(operators.give('ada', 'project', 'close', projectNo)).rejects.toThrow('no open project')
  expect(await handlers['GET project/list']({}, context)).toEqual({ items: [] })
  expect(await handlers['GET project/detail']({ projectNo }, context)).toMatchObject({
    project: { open: false, available: '0' },
  })
  await expect(handlers['GET project/detail']({ projectNo: '20260101UNKNOWN' }, context)).rejects.toThrow('code 404')
  expect(await operators.give('ada', 'project', 'list')).toMatchObject([{ number: projectNo, borrowed: '500' }])
})
