import { fromBaseUnits } from '@candela/protocol/money/money'
import { auditLedger } from '@candela/server/ledger/audit'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators } from '@candela/server/operator/testing-operators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { startPayoutScenario } from './payouts-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const words = (amount: string, to: string, tx: string, asset = 'JU'): string[] =>
  `surplus assign ${asset} ${amount} --to ${to} --tx ${tx} --note asked`.split(' ')

const hash = (digit: string) => `0x${digit.repeat(64)}`

test('booked surplus goes to its owner or the desk, once for each transaction, and never more than there is', async () => {
  await using scenario = await startPayoutScenario(chain)
  const { db, alice } = scenario
  const { give, both } = await startOperators(scenario.url, scenario.clock)
  await scenario.deposit(alice, 'JU', 10n * WHOLE)
  await chain.client.setBalance({ address: scenario.gateway, value: 15n * WHOLE })
  await scenario.mineAndFollow()
  expect(await scenario.reconcile()).toMatchObject({ finding: expect.stringContaining('difference 5') })
  expect(await give('ada', 'surplus', 'list')).toEqual([])
  const book = ['reconcile', 'book', 'JU', '5', '--note', 'forced']
  // One operator books nothing.
  await give('ada', ...book)
  expect(await give('ada', 'surplus', 'list')).toEqual([])
  await give('bob', ...book)
  expect(await give('ada', 'surplus', 'list')).toEqual([{ asset: 'JU', booked: '5', left: '5' }])

  const { uid } = await db
    .selectFrom('member')
    .select('uid')
    .where('id', '=', scenario.memberOf(alice))
    .executeTakeFirstOrThrow()
  const assign = (...gift: Parameters<typeof words>) => both<{ was: string }>(...words(...gift))
  const toAlice = `member:${uid}`
  const before = (await scenario.balances(alice, 'JU')).available
  // One operator gives nothing; ten commands of two at once give it once.
  await give('ada', ...words('2', toAlice, hash('a')))
  expect((await scenario.balances(alice, 'JU')).available).toBe(before)
  const atOnce = await Promise.allSettled(
    Array.from({ length: 10 }, (_, nth) =>
      give<{ was?: string }>(nth % 2 === 0 ? 'bob' : 'ada', ...words('2', toAlice, hash('a'))),
    ),
  )
  const was = atOnce.map((answer) => (answer.status === 'fulfilled' ? answer.value.was : undefined))
  expect(was.filter((each) => each === 'assigned')).toHaveLength(1)
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

  // As many succeed as there is money for, of many that together want more than is left.
  for (const digit of ['c', 'd', 'e', 'f']) await give('ada', ...words('2', 'desk', hash(digit)))
  const greedy = await Promise.allSettled(
    ['c', 'd', 'e', 'f'].map((digit) => give('bob', ...words('2', 'desk', hash(digit)))),
  )
  expect(greedy.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await give('ada', 'surplus', 'list')).toEqual([{ asset: 'JU', booked: '5', left: '1' }])
  expect(await scenario.platform('deskInventory', 'JU')).toBe(2n * WHOLE)
  expect(fromBaseUnits(await scenario.platform('suspense', 'JU'))).toBe('1')
  expect(await scenario.reconcile()).toMatchObject({ paused: false, finding: null })
  expect(await auditLedger(db)).toEqual([])
})
