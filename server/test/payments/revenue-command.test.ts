import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { loadSigner } from '@candela/server/chain/signer'
import { Secret } from '@candela/server/kernel/secret'
import type { OperatorKey } from '@candela/server/operator/signing/operator-key'
import { startOperators } from '@candela/server/operator/testing-operators'
import { recordPayment, WHOLE } from '@candela/server/modules/power/testing'
import { openDatabase, transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

/** An operator with HASH on the chain of a scenario. */
async function startOperator() {
  const scenario = await startScenario(chain)
  const key = generatePrivateKey()
  const address = privateKeyToAddress(key)
  await chain.client.setBalance({ address, value: 10n * WHOLE })
  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [address, 500n * WHOLE] } as const
  await chain.send(chain.payers[0] as Hex, chain.hash, encodeFunctionData(transfer))
  await chain.mine()
  const { type, keys } = await startOperators(scenario.url, scenario.clock, {
    openChain: () =>
      Promise.resolve({
        client: chain.client,
        gateway: chain.gateway,
        hash: chain.hash,
        assets: () => assetsByAddress(chain),
        signer: () => loadSigner({ kind: 'value', value: new Secret(key) }),
      }),
    seenWithin_ms: 0,
  })
  const candela = (...line: string[]) => type(keys.get('ada') as OperatorKey, ...line)
  const nonce = () => chain.client.getTransactionCount({ address })
  return { ...scenario, candela, nonce }
}

test('what cannot be a day’s revenue is refused before anything is sent', async () => {
  await using operator = await startOperator()
  const { candela, clock } = operator
  const today = clock.now().toISOString().slice(0, 10)
  const tomorrow = new Date(clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
  const post = (day: string, amount: string) => candela('revenue', 'post', '--day', day, '--amount', amount)
  await expect(post(tomorrow, '5')).rejects.toThrow(`${tomorrow} has not begun`)
  await expect(post('2026-02-30', '5')).rejects.toThrow('2026-02-30')
  await expect(post(today, '0')).rejects.toThrow('"0" is not an amount of HASH')
  await expect(post(today, '-5')).rejects.toThrow('"-5" is not an amount of HASH')
  await expect(post(today, '5,5')).rejects.toThrow('"5,5" is not an amount of HASH')
  await expect(post(today, '500.000000000000000001')).rejects.toThrow('holds less than the amount')
  expect(await operator.nonce()).toBe(0)
})

test('revenue for a day that is closed is refused before anything is sent, and taken for the day that is open', async () => {
  await using operator = await startOperator()
  const { candela, clock, db } = operator
  const day = (back: number) => new Date(clock.now().getTime() - back * 86_400_000).toISOString().slice(0, 10)
  const figures = { revenue: 0n, carried_in: 0n, total_units: 0n, fee: 0n, opened_at: clock.now() }
  // Its members are being paid: what comes for it now comes too late as well.
  await db
    .insertInto('income_day')
    .values({ ...figures, day: day(2), closed_at: null })
    .execute()
  const post = (back: number, amount: string) => candela('revenue', 'post', '--day', day(back), '--amount', amount)
  await expect(post(2, '5')).rejects.toThrow(`${day(2)} is closed`)
  await expect(post(3, '5')).rejects.toThrow(`${day(3)} is closed`)
  await db.updateTable('income_day').set({ closed_at: clock.now() }).execute()
  await expect(post(2, '5')).rejects.toThrow(`${day(2)} is closed`)
  expect(await operator.nonce()).toBe(0)
  // The day after it is open: this one is refused by the chain, for want of HASH.
  await expect(post(1, '501')).rejects.toThrow('holds less than the amount')
})

test('a second deposit for the same day is refused until it is asked for in so many words', async () => {
  await using operator = await startOperator()
  const { candela, clock, mineAndFollow } = operator
  const today = clock.now().toISOString().slice(0, 10)
  const mining = setInterval(() => void chain.client.mine({ blocks: 1 }), 200)
  try {
    expect(await candela('revenue', 'post', '--day', today, '--amount', '12.5')).toMatchObject({ code: 0 })
  } finally {
    clearInterval(mining)
  }
  // Approved exactly, then deposited.
  expect(await operator.nonce()).toBe(2)
  await mineAndFollow(3)
  await expect(candela('revenue', 'post', '--day', today, '--amount', '12.5')).rejects.toThrow(
    `12.5 HASH were deposited for ${today} by`,
  )
  expect(await operator.nonce()).toBe(2)
  const acts = await operator.db
    .selectFrom('operator_audit')
    .select('command')
    .where('command', 'like', 'revenue%')
    .orderBy('id')
    .execute()
  expect(acts.map(({ command }) => command)).toEqual(['revenue post', 'revenue posted'])
})

/** A deposit of revenue as the chain has it, for tests of lists. */
const sent = (nth: number, payer: string) => ({
  reference: '2026-03-01',
  asset: 'HASH' as const,
  amount: 1n,
  payer,
  nth,
})

test('a deposit is found among any number of gifts from strangers, by who sent it and page by page', async () => {
  await using scenario = await startScenario(chain)
  const operators = await startOperators(scenario.url, scenario.clock)
  const own = `0x${'ab'.repeat(20)}`
  for (const { nth, ...deposit } of [
    sent(0, own),
    ...Array.from({ length: 150 }, (_, i) => sent(i + 1, scenario.stranger)),
  ])
    await recordPayment(scenario.db, {
      ...deposit,
      action: 'revenue',
      tx_hash: `0x${nth.toString(16).padStart(64, '0')}`,
    })
  const list = (...options: string[]) =>
    operators.give<{ id: string; payer: string }[]>('ada', 'revenue', 'list', ...options)
  const newest = await list()
  expect(newest).toHaveLength(100)
  expect(newest.some(({ payer }) => payer === own)).toBe(false)
  const older = await list('--before', newest.at(-1)?.id ?? '')
  expect(older).toHaveLength(51)
  expect(older.at(-1)).toMatchObject({ payer: own })
  expect(await list('--payer', `0x${'AB'.repeat(20)}`)).toEqual([older.at(-1)])
  await expect(list('--payer', 'me')).rejects.toThrow('"me" is not an address')
  await expect(list('--before', '-1')).rejects.toThrow('"-1" is not an id')
})

test('the close is written down before its work, and holds no transaction while that takes its own', async () => {
  await using scenario = await startScenario(chain)
  const openTransactions = async () => {
    const { rows } = await sql<{ state: string }>`
      select state from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`.execute(
      scenario.db,
    )
    return rows.length
  }
  const seen: { open: number; written: number }[] = []
  const operators = await startOperators(scenario.url, scenario.clock, {
    openDatabase: async () => {
      const written = await scenario.db
        .selectFrom('operator_audit')
        .select('id')
        .where('command', '=', 'close')
        .execute()
      seen.push({ open: await openTransactions(), written: written.length })
      return openDatabase({ url: scenario.url, log: silentLog(), poolSize: 1 })
    },
  })
  // The check can see what it looks for.
  await transaction(scenario.db, async (tx) => {
    await sql`select 1`.execute(tx)
    expect(await openTransactions()).toBe(1)
  })
  const day = new Date(scenario.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  const shared = `no revenue was shared, because nobody had power up to ${day}`
  const close = () => operators.give('ada', 'close', '--day', day)
  expect(await close()).toEqual({ done: `the loans and the fund are closed for ${day}; ${shared}` })
  expect(await close()).toEqual({ done: `the loans and the fund were closed before; ${shared}` })
  const nothing = { revenue: 0n, carried_in: 0n, total_units: 0n, fee: 0n }
  const at = scenario.clock.now()
  await scenario.db
    .insertInto('income_day')
    .values({ day, ...nothing, opened_at: at, closed_at: at })
    .execute()
  seen.length = 0
  expect(await operators.give('ada', 'close', '--day', day)).toEqual([expect.objectContaining({ day })])
  expect(seen).toEqual([
    { open: 0, written: 2 },
    { open: 0, written: 3 },
  ])
})
