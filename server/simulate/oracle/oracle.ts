import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { MINUTE_MS } from '@candela/protocol/units'
import { countedAt } from '@candela/server/chain/follow/standstill'
import { readSettings } from '@candela/server/db/settings'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { readDeposits } from '@candela/server/modules/deposit/read-deposits'
import { attestationsAreOnChain } from './attestations.ts'
import { lendingEffects, lendingIsRight } from './lending.ts'
import { keptFeesAreRight } from './kept-fees.ts'
import { snapshotsAreOwed } from './owed.ts'
import type { MoneyIn, MoneyOut } from '../model/contract-model.ts'
import { priceOf } from '../run/server-process.ts'
import { WHOLE, type Simulation } from '../run/simulation.ts'

/** `countsAt` is earlier than `at` by the time in which the chain stood still before. */
type ChainMoney = { txHash: string; at: Date; countsAt: Date; moneyIn?: MoneyIn; moneyOut?: MoneyOut }

/**
 * Compares the database with the model of the chain after a simulation. The chain's payments are read from the model's
 * state, not from its logs.
 * @returns descriptions of what differs; empty when nothing does
 */
export async function checkOutcome(simulation: Simulation): Promise<string[]> {
  const money = await moneyOf(simulation)
  const checks = [
    ledgerIsSound,
    booksMatchChain,
    creditsAreRight,
    withdrawalsMatchPayouts,
    keptFeesAreRight,
    noncesHaveNoGap,
    listsAreComplete,
    noUnexpectedErrors,
    depthsAreRight,
    timesAreRight,
    requestsAreIdempotent,
    lendingIsRight,
    snapshotsAreOwed,
    attestationsAreOnChain,
  ]
  const findings: string[] = []
  for (const check of checks) findings.push(...(await check(simulation, money)))
  return findings
}

async function moneyOf({ chain, db }: Simulation): Promise<ChainMoney[]> {
  const least_ms = (await readSettings(db)).standstillMinutes * MINUTE_MS
  const blocks = chain.above(null, chain.head)
  const standstills = blocks
    .map(({ timestamp, parent }) => ({ from: timeOf(parent?.timestamp ?? timestamp), to: timeOf(timestamp) }))
    .filter(({ from, to }) => to.getTime() - from.getTime() >= least_ms)
    .toReversed()
  return blocks.flatMap(({ receipts, timestamp }) => {
    const at = timeOf(timestamp)
    return receipts
      .filter(({ moneyIn, moneyOut }) => moneyIn !== undefined || moneyOut !== undefined)
      .map(({ transaction, ...rest }) => ({
        txHash: transaction.hash,
        at,
        countsAt: countedAt(standstills, at),
        ...rest,
      }))
  })
}

const timeOf = (seconds: number): Date => new Date(seconds * 1_000)

async function ledgerIsSound({ db }: Simulation): Promise<string[]> {
  return (await auditLedger(db)).map(({ rule, subject, details }) => `${rule}: ${subject}: ${details}`)
}

async function booksMatchChain({ db, chain, contracts, hadDeepReorganisation }: Simulation): Promise<string[]> {
  const findings: string[] = []
  for (const asset of assetCodes) {
    const custody = -(await accountBalance(db, platformAccount('custody', asset)))
    const held = chain.head.state.balance(asset, contracts.gateway)
    if (custody !== held) findings.push(`the books hold ${custody} of ${asset}, the contract ${held}`)
  }
  const differing = await db.selectFrom('reconciliation').select(['block_number', 'finding', 'paused']).execute()
  const last = differing.at(-1)
  if (last === undefined || last.finding !== null || last.paused) findings.push(`the last comparison: ${last?.finding}`)
  for (const { block_number, finding } of hadDeepReorganisation ? [] : differing) {
    if (finding !== null) findings.push(`at block ${block_number} reconciliation found ${finding}`)
  }
  return findings
}

type Order = {
  order_no: string
  owner: string
  asset: AssetCode
  payable: bigint
  state: string
  watch_until: Date
  tx_hash: string | null
}

/** Every payment on chain is credited exactly once, to the account that the product's rules name. */
async function creditsAreRight(simulation: Simulation, money: readonly ChainMoney[]): Promise<string[]> {
  const { db, memberIds } = simulation
  const orders = (await db
    .selectFrom('power_order as o')
    .innerJoin('member as m', 'm.id', 'o.member_id')
    .leftJoin('chain_event as e', 'e.id', 'o.chain_event_id')
    .select(['o.order_no', 'm.address as owner', 'o.asset', 'o.payable', 'o.state', 'o.watch_until', 'e.tx_hash'])
    .execute()) as Order[]
  const findings: string[] = []
  const expected = new Map<string, bigint>()
  const add = (name: string, asset: AssetCode, amount: bigint) =>
    expected.set(`${name} ${asset}`, (expected.get(`${name} ${asset}`) ?? 0n) + amount)
  for (const order of orders) findings.push(...orderFindings(order, money))
  const bought = new Set(orders.filter(({ state }) => state === 'active').map(({ tx_hash }) => tx_hash))
  const { repayments, changes } = await lendingEffects(simulation)
  for (const { name, asset, amount } of changes) add(name, asset, amount)
  for (const { txHash, moneyIn } of money) {
    if (moneyIn !== undefined && !repayments.has(txHash))
      add(bought.has(txHash) ? 'salesRevenue' : expectedAccount(moneyIn, memberIds), moneyIn.asset, moneyIn.amount)
  }
  const withdrawals = await db.selectFrom('withdrawal').selectAll().execute()
  for (const { member_id, asset, amount, fee, state, reason } of withdrawals) {
    const isFeeKept = state === 'failed' && reason === 'reverted'
    if (state !== 'done' && !isFeeKept) continue
    add(String(member_id), asset, isFeeKept ? -fee : -amount)
    add('fees', asset, fee)
  }
  for (const asset of assetCodes) {
    for (const name of ['suspense', 'revenuePool', 'salesRevenue', 'fees'] as const) {
      const found = await accountBalance(db, platformAccount(name, asset))
      const wanted = expected.get(`${name} ${asset}`) ?? 0n
      if (found !== wanted) findings.push(`${name} has ${found} of ${asset} instead of ${wanted}`)
    }
  }
  for (const id of memberIds.values()) {
    const balances = await memberBalances(db, id)
    for (const asset of assetCodes) {
      const { available, held } = balances[asset]
      const wanted = expected.get(`${id} ${asset}`) ?? 0n
      if (available !== wanted || held !== 0n)
        findings.push(`member ${id} has ${available} and ${held} held of ${asset} instead of ${wanted}`)
    }
  }
  return findings
}

function expectedAccount(
  { key, asset, payer, customer, reference }: MoneyIn,
  members: ReadonlyMap<string, bigint>,
): string {
  const isDay = reference === '2026-03-01'
  if (key === 'revenue' && asset === 'HASH' && isDay) return 'revenuePool'
  const forCustomer = key === 'deposit' || key === 'native' || key === 'transfer' ? members.get(customer) : undefined
  return String(forCustomer ?? members.get(payer) ?? 'suspense')
}

/** An order is active exactly when the first payment that could settle it was exact. */
function orderFindings(order: Order, money: readonly ChainMoney[]): string[] {
  const settling = money.filter(
    ({ moneyIn, countsAt }) =>
      moneyIn?.key === 'buyPower' &&
      moneyIn.reference === order.order_no &&
      countsAt <= order.watch_until &&
      (isExact(moneyIn, order) || moneyIn.payer === order.owner),
  )
  const [first] = settling
  const wanted = first?.moneyIn === undefined ? 'open' : isExact(first.moneyIn, order) ? 'active' : 'mismatch'
  const state = order.state === 'pending' || order.state === 'cancelled' ? 'open' : order.state
  const findings = state === wanted ? [] : [`order ${order.order_no} is ${order.state} instead of ${wanted}`]
  if (first !== undefined && order.tx_hash !== first.txHash)
    findings.push(`order ${order.order_no} was settled by ${order.tx_hash}`)
  return findings
}

const isExact = (paid: MoneyIn, order: Order): boolean => paid.asset === order.asset && paid.amount === order.payable

/** A withdrawal that is done was paid once with the exact amount; any other was not paid. */
async function withdrawalsMatchPayouts({ db }: Simulation, money: readonly ChainMoney[]): Promise<string[]> {
  const rows = await db.selectFrom('withdrawal').selectAll().execute()
  const paid = money.flatMap(({ moneyOut }) => (moneyOut === undefined ? [] : [moneyOut]))
  const findings: string[] = []
  for (const row of rows) {
    const own = paid.filter(({ id }) => id === row.payout_id)
    if (own.length !== (row.state === 'done' ? 1 : 0))
      findings.push(`${row.withdrawal_no} is ${row.state} and was paid ${own.length} times`)
    for (const { asset, to, amount } of own) {
      const exact = asset === row.asset && to === row.to_address && amount === row.amount - row.fee
      if (!exact) findings.push(`${row.withdrawal_no} was paid ${amount} of ${asset} to ${to}`)
    }
  }
  if (new Set(paid.map(({ id }) => id)).size !== paid.length) findings.push('a payout id was paid twice')
  for (const { id } of paid)
    if (!rows.some(({ payout_id }) => payout_id === id)) findings.push(`payout ${id} has no withdrawal`)
  return findings
}

/** Payer and attester count their own. */
async function noncesHaveNoGap({ db, chain, contracts }: Simulation): Promise<string[]> {
  const payouts = await db.selectFrom('withdrawal').select('nonce').where('nonce', 'is not', null).execute()
  const attestations = await db.selectFrom('attestation').select('nonce').execute()
  const gaps = (role: 'payer' | 'attester', rows: readonly { nonce: bigint | null }[]): string[] => {
    const given = rows.map(({ nonce }) => Number(nonce)).toSorted((one, other) => one - other)
    const used = chain.head.state.nonce(contracts[role])
    const isWhole = given.length === used && given.every((nonce, index) => nonce === index)
    return isWhole ? [] : [`nonces ${given.join()} of the ${role} were given, and the chain has used ${used}`]
  }
  return [...gaps('payer', payouts), ...gaps('attester', attestations)]
}

/** Each member's list of deposits has every credited payment exactly once. */
async function listsAreComplete({ db, memberIds }: Simulation, money: readonly ChainMoney[]): Promise<string[]> {
  const findings: string[] = []
  const bought = await db
    .selectFrom('chain_event')
    .select('tx_hash')
    .where('outcome', 'in', ['order', 'loan'])
    .execute()
  const orders = new Set(bought.map(({ tx_hash }) => tx_hash))
  for (const id of memberIds.values()) {
    const shown = (await readDeposits(db, { memberId: id, limit: 10_000 })).flatMap(({ deposit }) =>
      deposit.payment === null || deposit.state !== 'credited' ? [] : [deposit.payment.txHash],
    )
    const wanted = money.flatMap(({ txHash, moneyIn }) =>
      moneyIn !== undefined && !orders.has(txHash) && expectedAccount(moneyIn, memberIds) === String(id)
        ? [txHash]
        : [],
    )
    if (shown.toSorted().join() !== wanted.toSorted().join()) {
      findings.push(`member ${id} is shown ${shown.length} receipts instead of ${wanted.length}`)
    }
  }
  return findings
}

/** No payment may fail to settle, and crediting, payouts and attestations may halt only after a deep reorganisation. */
export function noUnexpectedErrors({ loggedErrors, hadDeepReorganisation }: Simulation): Promise<string[]> {
  const unexpected = loggedErrors.filter(
    (line) =>
      /could not be settled|is not what the ledger says/.test(line) ||
      (!hadDeepReorganisation && /crediting stops|are paused|was not accepted by the contract/.test(line)),
  )
  return Promise.resolve([...new Set(unexpected)])
}

/** Large payments, and only those, need more confirmations. */
async function depthsAreRight({ db, confirmations: { normal, large, largeAbove } }: Simulation): Promise<string[]> {
  const events = await db
    .selectFrom('chain_event')
    .select(['tx_hash', 'asset', 'amount', 'confirmations_needed'])
    .execute()
  return events
    .filter(({ asset, amount, confirmations_needed }) => {
      const worth = (amount * priceOf(asset)) / WHOLE
      return confirmations_needed !== (worth > largeAbove ? large : normal)
    })
    .map(({ tx_hash, confirmations_needed }) => `${tx_hash} waited for ${confirmations_needed} blocks`)
}

/** Each payment has the time of its own block, which decides whether an order was paid in time and which members see. */
async function timesAreRight({ db }: Simulation, money: readonly ChainMoney[]): Promise<string[]> {
  const events = await db.selectFrom('chain_event').select(['tx_hash', 'block_at']).execute()
  const times = new Map(money.map(({ txHash, at }) => [txHash, at]))
  return events
    .filter(({ tx_hash, block_at }) => times.get(tx_hash)?.getTime() !== block_at.getTime())
    .map(({ tx_hash, block_at }) => `${tx_hash} is recorded at ${block_at.toISOString()}`)
}

/** Each request has at most one effect, however often it was sent; a plan's units are those of its orders. */
async function requestsAreIdempotent({ db, requestCounts }: Simulation): Promise<string[]> {
  const count = async (table: 'power_order' | 'deposit' | 'withdrawal') => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<bigint>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(row.rows)
  }
  const findings: string[] = []
  for (const [name, table] of [
    ['order', 'power_order'],
    ['deposit', 'deposit'],
    ['withdraw', 'withdrawal'],
  ] as const) {
    const rows = await count(table)
    if (rows > requestCounts[name]) findings.push(`${requestCounts[name]} requests made ${rows} rows of ${table}`)
  }
  const taken = await db
    .selectFrom('power_order')
    .select(['units', 'is_reserved'])
    .where((eb) => eb.or([eb('is_reserved', '=', true), eb('state', 'in', ['active', 'expired'])]))
    .execute()
  const { total_units, units_left, units_reserved } = await db
    .selectFrom('power_plan')
    .select(['total_units', 'units_left', 'units_reserved'])
    .executeTakeFirstOrThrow()
  const left = total_units - taken.reduce((sum, { units }) => sum + units, 0n)
  if (units_left !== left) findings.push(`the plan has ${units_left} units left instead of ${left}`)
  const reserved = taken.reduce((sum, { units, is_reserved }) => (is_reserved ? sum + units : sum), 0n)
  if (units_reserved !== reserved)
    findings.push(`the plan has ${units_reserved} units set aside instead of ${reserved}`)
  return findings
}
