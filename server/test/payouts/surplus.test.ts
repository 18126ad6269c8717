import { fromBaseUnits } from '@candela/protocol/money/money'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { WHOLE } from '@candela/server/modules/power/testing'
import { runCommand } from '@candela/server/operator/run-command'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../testing/chain.ts'
import { type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

const hash = (digit: string) => `0x${digit.repeat(64)}`

/** A command of the operator's, as typed. */
async function command<T>(scenario: PayoutScenario, ...words: string[]): Promise<T> {
  let out = ''
  await runCommand(['--json', ...words], {
    clock: scenario.clock,
    operator: 'ada',
    openDatabase: () => Promise.resolve(openDatabase({ url: scenario.url, log: silentLog(), poolSize: 1 })),
    write: (text) => (out += text),
    writeError: (text) => (out += text),
  })
  return JSON.parse(out) as T
}

test('booked surplus goes to its owner or the desk, once for each transaction, and never more than there is', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, alice } = scenario
  await scenario.deposit(alice, 'JU', 10n * WHOLE)
  await chain.client.setBalance({ address: scenario.gateway, value: 15n * WHOLE })
  await scenario.mineAndFollow()
  expect(await scenario.reconcile()).toMatchObject({ finding: expect.stringContaining('difference 5') })
  expect(await command(scenario, 'surplus', 'list')).toEqual([])
  await command(scenario, 'reconcile', 'book', 'JU', '5', '--note', 'forced')
  expect(await command(scenario, 'surplus', 'list')).toEqual([{ asset: 'JU', booked: '5', left: '5' }])

  const { uid } = await db
    .selectFrom('member')
    .select('uid')
    .where('id', '=', scenario.memberOf(alice))
    .executeTakeFirstOrThrow()
  const assign = (amount: string, to: string, tx: string, asset = 'JU') =>
    command<{ was: string }>(scenario, 'surplus', 'assign', asset, amount, '--to', to, '--tx', tx, '--note', 'asked')
  const toAlice = `member:${uid}`
  const before = (await scenario.balances(alice, 'JU')).available
  // Ten at once give it once.
  const atOnce = await Promise.all(Array.from({ length: 10 }, () => assign('2', toAlice, hash('a'))))
  expect(atOnce.map(({ was }) => was).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'already'), 'assigned'])
  expect((await scenario.balances(alice, 'JU')).available).toBe(before + 2n * WHOLE)
  await expect(assign('1', toAlice, hash('a'))).rejects.toThrow('was given another amount')
  await expect(assign('3.000000000000000001', toAlice, hash('b'))).rejects.toThrow('less surplus of JU is left')
  await expect(assign('1', toAlice, hash('b'), 'USDT')).rejects.toThrow('less surplus of USDT is left')
  await expect(assign('1', 'member:99999999', hash('b'))).rejects.toThrow('no member with the UID')
  await expect(assign('1', 'fees', hash('b'))).rejects.toThrow('it is member:<uid>, or desk')
  await expect(assign('0', toAlice, hash('b'))).rejects.toThrow('is not an amount')
  await expect(assign('1', toAlice, '0x12')).rejects.toThrow('is not the hash of a transaction')
  const deposit = await db.selectFrom('chain_payment').select('tx_hash').limit(1).executeTakeFirstOrThrow()
  await expect(assign('1', toAlice, deposit.tx_hash)).rejects.toThrow('is credited by itself')

  // Of many that together want more than is left, as many succeed as there is money for.
  const greedy = await Promise.allSettled(['c', 'd', 'e', 'f'].map((digit) => assign('2', 'desk', hash(digit))))
  expect(greedy.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await command(scenario, 'surplus', 'list')).toEqual([{ asset: 'JU', booked: '5', left: '1' }])
  expect(await scenario.platform('deskInventory', 'JU')).toBe(2n * WHOLE)
  expect(fromBaseUnits(await scenario.platform('suspense', 'JU'))).toBe('1')
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  expect(await auditLedger(db)).toEqual([])
  const audited = await db
    .selectFrom('operator_audit')
    .select('input')
    .where('command', '=', 'surplus assign')
    .execute()
  expect(audited).toHaveLength(11)
  expect(audited[0]?.input).toMatchObject({ to: toAlice, tx: hash('a'), note: 'asked' })
})
