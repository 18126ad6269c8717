import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { assetCodes } from '@candela/protocol/money/assets'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import type { Key } from '@candela/protocol/endpoints'
import { type Database, transaction } from '@candela/server/db/open'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { createProject } from '@candela/server/modules/lending/project/manage-projects'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { goodForms } from '../api/api-inputs.ts'
import { type ApiScenario, codeOf, type Form, keys, startApiScenario } from '../api/api-scenario.ts'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

const newRequestId = () => systemIds(systemClock).uuid()

const CALLS_EACH = 10
const VALID_MS = 5 * 60_000

/** Commands that ask for no signature of the wallet, and move or reserve value. */
const movers = [
  'POST withdraw/apply',
  'POST exchange/index',
  'POST deposit/getOrder',
  'POST power/getOrder',
  'POST finance/transferIn',
  'POST finance/transferOut',
  'POST lending/borrow',
  'POST lending/repay',
  'POST lending/installment',
  'POST lending/addCollateral',
  'POST lending/releaseCollateral',
  'POST lever/open',
  'POST lever/addMargin',
  'POST lever/close',
] as const

/** Puts an amount of each asset into an account, as a deposit does. */
async function fund(db: Database, accountOf: (asset: (typeof assetCodes)[number]) => bigint, amount: bigint) {
  for (const asset of assetCodes) {
    const legs = [{ debit: platformAccount('custody', asset), credit: accountOf(asset), amount }]
    const posting = { id: newRequestId(), kind: 'deposit' as const, memo: testMemo(), occurredAt: new Date() }
    await transaction(db, (tx) => post(tx, { ...posting, legs }))
  }
}

/** A project that lends on JU, from the first observation of its pair on. */
async function addProject(db: Database): Promise<string> {
  const settings = { pairAgeDays: '0', debtCeilingBps: '100000', debtMemberBps: '10000' }
  for (const [key, value] of Object.entries(settings))
    await db.insertInto('setting').values({ key, value, updated_at: new Date() }).execute()
  const name = { zh: '借款', tw: '借款', en: 'Loan' }
  const lines = { rate: 100_000, initialRate: 500_000, safetyLine: 700_000, clearingLine: 800_000 }
  const project = { name, information: name, collateral: 'JU' as const, total: 1_000_000n * WHOLE, ...lines }
  await transaction(db, (tx) => createProject(tx, '20260301STOLENTOKEN', project, new Date()))
  return '20260301STOLENTOKEN'
}

/** The form of a transfer of 10 USDT by the victim, with a signature of these terms. */
async function signedTransfer(api: ApiScenario, by: PrivateKeyAccount, from: Hex, to: Hex, requestId: string) {
  const deadline = new Date(Date.now() + VALID_MS)
  const terms = { from, to, asset: 'USDT' as const, amount: 10n * WHOLE, requestId, deadline }
  const signature = await by.signTypedData(transferTypedData(terms, api.gateway))
  return { to, asset: 'USDT', amount: '10', requestId, deadline: deadline.toISOString(), signature }
}

/** A fresh quote of the victim's, which anybody with the token can ask for. */
async function quoteNo(api: ApiScenario): Promise<string> {
  const { text } = await api.call('POST exchange/quote', { from: 'USDT', to: 'JU', amount: '0.2' })
  return (JSON.parse(text) as { data: { quoteNo: string } }).data.quoteNo
}

const borrowing = { amount: '10', collateral: '1000', days: '30' }
const opening = { asset: 'JU', margin: '10', ratio: '2', days: '30', minBought: '0.000001', acceptWarning: '1' }

/** A new loan of the victim's, which anybody with the token can open. */
async function loanNo(api: ApiScenario, key: Key, projectNo: string): Promise<string> {
  const requestId = newRequestId()
  const { text } = key.includes('lever')
    ? await api.call('POST lever/open', { ...opening, requestId })
    : await api.call('POST lending/borrow', { ...borrowing, projectNo, requestId })
  const { code, data } = JSON.parse(text) as { code: number; data: { loan: { loanNo: string } } | null }
  expect([key, code, text]).toEqual([key, 200, text])
  return data?.loan.loanNo ?? ''
}

/** Makes a form of lending such that the call can succeed; others stay as they are. */
async function aimAtCredit(api: ApiScenario, key: Key, form: Form, projectNo: string): Promise<Form> {
  if (key === 'POST finance/transferOut') return { amount: '10', requestId: newRequestId() }
  if (key === 'POST lending/borrow') return { ...form, ...borrowing, projectNo }
  if (key === 'POST lever/open') return { ...form, ...opening }
  if (!(movers as readonly Key[]).includes(key) || !/lending|lever/.test(key)) return form
  const aimed = { ...form, loanNo: await loanNo(api, key, projectNo), amount: '100', minProceeds: '0.01' }
  return Object.fromEntries(Object.entries(aimed).filter(([name]) => name in form))
}

/** Points every field that could name where value goes at the thief, and makes the rest such that the call can succeed. */
async function aim(api: ApiScenario, key: Key, form: Form, thief: Hex): Promise<Form> {
  const aimed = Object.entries(form).flatMap(([name, value]): [string, Form[string]][] => {
    if (['to', 'address', 'customer', 'recipient'].includes(name))
      return key.includes('exchange') ? [[name, value]] : [[name, thief]]
    if (name === 'amount') return [[name, '10']]
    if (name === 'deadline') return [[name, new Date(Date.now() + VALID_MS).toISOString()]]
    if (name === 'minReceived') return [[name, '0.01']]
    if (name === 'planId' || name === 'units') return [[name, '1']]
    // Left out, whatever they are is agreed to.
    return ['fee', 'maxPayable', 'maxAmount'].includes(name) ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(aimed), ...(key === 'POST exchange/index' && { quoteNo: await quoteNo(api) }) }
}

test('who has nothing but a token of somebody’s gets nothing out of any endpoint', async () => {
  const [owner, friendKey, thiefKey] = [1, 2, 3].map(() => privateKeyToAccount(generatePrivateKey())) as [
    PrivateKeyAccount,
    PrivateKeyAccount,
    PrivateKeyAccount,
  ]
  const [address, friendAddress, thiefAddress] = [owner, friendKey, thiefKey].map(
    (account) => account.address.toLowerCase() as Hex,
  ) as [Hex, Hex, Hex]
  await using api = await startApiScenario(address)
  const { db, memberId: victim } = api
  const [friend, thief] = [await addMember(db, friendAddress), await addMember(db, thiefAddress)]
  await fund(db, (asset) => memberAccount(victim, 'memberAvailable', asset), 1_000_000n * WHOLE)
  await fund(db, (asset) => platformAccount('deskInventory', asset), 1_000_000n * WHOLE)
  for (const [setting, value] of [
    ['openLoans', '1000'],
    ['deskHourBps', '10000'],
  ] as const) {
    await db.insertInto('setting').values({ key: setting, value, updated_at: new Date() }).execute()
  }
  const projectNo = await addProject(db)
  // As after a comparison that found the books and the chain equal: without one nothing is paid out to anybody.
  const at = new Date()
  await db
    .insertInto('reconciliation')
    .values({ block_number: 1n, block_hash: '0x', block_at: at, at, paused: false, finding: null, agrees: true })
    .execute()
  const usdtOf = async (member: bigint) => (await memberBalances(db, member)).USDT.available

  // The fund has money to lend.
  const moveIn = { amount: '100000', requestId: newRequestId() }
  expect(codeOf(await api.call('POST finance/transferIn', moveIn))).toBe(200)

  // Value can move: with the owner's signature it does.
  const signed = await signedTransfer(api, owner, address, friendAddress, newRequestId())
  expect(codeOf(await api.call('POST transfer/index', signed))).toBe(200)
  expect(await usdtOf(friend)).toBe(10n * WHOLE)

  // With the token alone it does not: by the thief's own key, or with what the owner signed, for other terms or again.
  const byThief = await signedTransfer(api, thiefKey, address, thiefAddress, newRequestId())
  for (const form of [
    byThief,
    { ...signed, to: thiefAddress },
    { ...signed, requestId: newRequestId(), to: thiefAddress },
  ]) {
    expect(codeOf(await api.call('POST transfer/index', form))).toBe(4005)
  }
  expect(codeOf(await api.call('POST transfer/index', { ...signed, requestId: newRequestId() }))).toBe(4005)
  expect(codeOf(await api.call('POST transfer/index', signed))).toBe(200)
  expect(await usdtOf(friend)).toBe(10n * WHOLE)

  const done = new Map<Key, number>()
  // First: prices grow old, as nothing mines here, and a comparison pauses withdrawals, as the money is in the books only.
  for (const key of new Set<Key>([...movers, ...keys])) {
    for (const form of fc.sample(goodForms(key), { numRuns: CALLS_EACH, seed: 20_261_121 })) {
      const aimed = await aim(api, key, form, thiefAddress)
      const code = codeOf(await api.call(key, await aimAtCredit(api, key, aimed, projectNo)))
      if (key === 'POST transfer/index') expect(code).toBe(4005)
      if (code === 200) done.set(key, (done.get(key) ?? 0) + 1)
    }
  }
  // These ask for no signature and did move or reserve value: never to anybody but the victim.
  for (const key of movers) {
    expect([key, done.get(key) ?? 0]).toEqual([key, expect.toSatisfy((count: number) => count > 0)])
  }
  const { rows } = await sql<{ owner: bigint }>`
    select distinct account / 100000 as owner from ledger_entry
    where account >= 100000 and account < ${2n ** 40n * 100_000n}::bigint order by 1`.execute(db)
  expect(rows).toEqual([{ owner: victim }, { owner: friend }])
  expect(rows).not.toContainEqual({ owner: thief })
  expect(await usdtOf(friend)).toBe(10n * WHOLE)
  const payouts = await db.selectFrom('withdrawal').select('to_address').execute()
  expect(payouts.length).toBe(done.get('POST withdraw/apply'))
  expect(new Set(payouts.map(({ to_address }) => to_address))).toEqual(new Set([address]))
  for (const table of ['power_order', 'deposit', 'exchange', 'loan', 'fund_member'] as const) {
    const owners = await db.selectFrom(table).select('member_id').distinct().execute()
    expect([table, owners]).toEqual([table, [{ member_id: victim }]])
  }
  expect(await auditLedger(db)).toEqual([])
})
