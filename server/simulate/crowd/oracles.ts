import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { dustSteps } from '@candela/protocol/money/dust'
import { DAY_MS } from '@candela/protocol/units'
import { GIVEN_UP, requestKeyOf } from '@candela/server/db/idempotency/request-keys'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { sql } from 'kysely'
import type { Crowd } from './open-crowd.ts'

/** Payments that are signed in a block, of each of three assets while all of them wait. */
const PER_ROUND = 5
/** For the round in which it is asked for, and one in which a node does not answer. */
const SPARE_ROUNDS = 2

/** The queue before a round, and what the contract could pay of each asset then, in base units. */
export type QueueBefore = { rows: Queued[]; rooms: Record<AssetCode, bigint> }

/**
 * An honest withdrawal of old money that fits beside everything that goes before it and fits is signed within as many rounds as that takes.
 * Called before each round of paying out, with nothing under way.
 */
export async function lookAtQueue(crowd: Crowd): Promise<QueueBefore> {
  const { honest, fitting, round, findings, counts } = crowd
  // A payment that could not be signed is tried again later.
  const rows = (await readQueued(crowd)).filter(
    ({ try_at }) => try_at === null || try_at <= crowd.simulation.clock.now(),
  )
  const rooms = { JU: roomOf(crowd, 'JU'), USDT: roomOf(crowd, 'USDT'), HASH: roomOf(crowd, 'HASH') }
  const waiting = new Set<bigint>()
  for (const row of rows) {
    const isHonest = honest.some(({ memberId }) => memberId === row.member_id)
    if (!isHonest || row.fresh_amount > 0n) continue
    const ahead = rows.filter((other) => other.asset === row.asset && goesBefore(crowd, other, row))
    if (row.payout_amount > leftBehind(crowd, ahead, rooms[row.asset])) continue
    waiting.add(row.id)
    if (!fitting.has(row.id)) {
      fitting.set(row.id, { since: round, rounds: SPARE_ROUNDS + Math.ceil(ahead.length / PER_ROUND) })
      counts['fits'] = (counts['fits'] ?? 0) + 1
    }
    const { since, rounds } = fitting.get(row.id) ?? { since: round, rounds: 0 }
    if (round - since <= rounds) continue
    findings.push(`withdrawal ${row.id} of ${row.asset} fits since round ${since} and waits in round ${round}`)
    fitting.delete(row.id)
  }
  // More may come before it later: what has waited for a day goes before all others.
  for (const id of fitting.keys()) if (!waiting.has(id)) fitting.delete(id)
  return { rows, rooms }
}

function roomOf({ simulation: { chain, contracts } }: Crowd, asset: AssetCode): bigint {
  const { state, timestamp } = chain.head
  const [cap, held] = [state.leftOfCap(asset, timestamp), state.balance(asset, contracts.gateway)]
  return cap < held ? cap : held
}

const goesBefore = (crowd: Crowd, other: Queued, row: Queued): boolean =>
  isFirst(crowd, other) === isFirst(crowd, row) ? other.id < row.id : isFirst(crowd, other)

/** The room that these leave for those behind them: none while one has waited for a day, all of it where one does not fit. */
function leftBehind(crowd: Crowd, ahead: readonly Queued[], room: bigint): bigint {
  let left = room
  for (const one of ahead) {
    if (one.payout_amount <= left) left -= one.payout_amount
    else if (isFirst(crowd, one)) return 0n
  }
  return left
}

/** No newcomer is signed instead of an honest withdrawal of old money that would have fitted in its place. */
export async function expectOldestFirst(crowd: Crowd, { rows, rooms }: QueueBefore): Promise<void> {
  const left = new Set((await readQueued(crowd)).map(({ id }) => id))
  for (const asset of assetCodes) {
    const ofAsset = rows.filter((row) => row.asset === asset)
    // A withdrawal that has waited for a day and does not fit keeps a part for itself.
    if (ofAsset.some((row) => left.has(row.id) && isFirst(crowd, row))) continue
    const signed = ofAsset.filter(({ id }) => !left.has(id))
    const room = signed.reduce((rest, { payout_amount }) => rest - payout_amount, rooms[asset])
    for (const row of ofAsset) {
      const isHonest = crowd.honest.some(({ memberId }) => memberId === row.member_id)
      if (!isHonest || row.fresh_amount > 0n || !left.has(row.id)) continue
      const passed = signed.find(
        (other) => goesBefore(crowd, row, other) && row.payout_amount <= room + other.payout_amount,
      )
      if (passed !== undefined)
        crowd.findings.push(`withdrawal ${passed.id} of ${asset} was signed instead of ${row.id}`)
    }
  }
}

type Queued = Awaited<ReturnType<typeof readQueued>>[number]

const readQueued = ({ simulation }: Crowd) =>
  simulation.db
    .selectFrom('withdrawal')
    .select(['id', 'member_id', 'asset', 'payout_amount', 'fresh_amount', 'created_at', 'try_at'])
    .where('state', '=', 'queued')
    .orderBy('id')
    .execute()

const isFirst = ({ simulation }: Crowd, { created_at }: Pick<Queued, 'created_at'>): boolean =>
  simulation.clock.now().getTime() - created_at.getTime() >= DAY_MS

const countRow = async (crowd: Crowd, query: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await query.execute(crowd.simulation.db)
  return Number((rows[0] as { n: bigint }).n)
}

/** Each intent was done at most once, whatever became of its answers, and there is nothing that nobody asked for. */
export async function intentsAreDoneOnce(crowd: Crowd): Promise<string[]> {
  const { simulation, intents } = crowd
  const kept = await simulation.db.selectFrom('request_log').select(['member_id', 'request_key', 'input_key']).execute()
  const done = new Set(
    kept.filter(({ input_key }) => input_key !== GIVEN_UP).map((row) => `${row.member_id} ${row.request_key}`),
  )
  const findings: string[] = []
  const deeds: Record<string, number> = {}
  for (const { name, memberId, ids } of intents) {
    const now = simulation.clock.now()
    const times = [...ids].filter((requestId) => done.has(`${memberId} ${requestKeyOf({ requestId, now })}`)).length
    if (times > 1) findings.push(`one intent of ${name} was done under ${times} ids`)
    deeds[name] = (deeds[name] ?? 0) + times
  }
  const found = {
    withdraw: await countRow(crowd, sql`select count(*) as n from withdrawal`),
    takeBack: await countRow(crowd, sql`select count(*) as n from withdrawal where taken_back_at is not null`),
    order: await countRow(crowd, sql`select count(*) as n from power_order`),
    deposit: await countRow(crowd, sql`select count(*) as n from deposit`),
    transfer: await countRow(crowd, sql`select count(*) as n from ledger_posting where kind = 'transfer'`),
    exchange: await countRow(crowd, sql`select count(*) as n from ledger_posting where kind = 'exchange'`),
  }
  for (const [name, count] of Object.entries(found)) {
    crowd.counts[`${name} done`] = count
    if (count !== (deeds[name] ?? 0))
      findings.push(`${deeds[name] ?? 0} intents of ${name} are done, and there are ${count}`)
  }
  return findings
}

/** Rows that belong to those who have nothing and do nothing. */
export async function rowsOfIdle({ simulation, idle }: Crowd): Promise<number> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'member_id' and t.table_type = 'BASE TABLE' order by 1`.execute(
    simulation.db,
  )
  let count = 0
  for (const { name } of tables) {
    const { rows } = await sql<{ n: bigint }>`
      select count(*) as n from ${sql.table(name)} where member_id = any (${idle}::bigint[])`.execute(simulation.db)
    count += Number(rows[0]?.n)
  }
  return count
}

/** The tree of a day has places for those who are owed a step of something, and for few others. */
export async function treeIsSmall(crowd: Crowd): Promise<string[]> {
  const { simulation } = crowd
  const snapshot = await simulation.db
    .selectFrom('proof_snapshot')
    .select(['day', 'depth'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (snapshot === undefined) return ['no day was attested']
  crowd.counts['attested'] = (crowd.counts['attested'] ?? 0) + 1
  const owners = crowd.honest.length + crowd.active.length
  // Beside them the lender and the platform's own.
  const places = 2 ** Math.ceil(Math.log2(owners + 4))
  return 2 ** snapshot.depth > places
    ? [`${2 ** snapshot.depth} places in the tree of ${snapshot.day} for ${owners} who may be owed something`]
    : []
}

/** A victim of dust has three lines and one sum at most for a day and asset. */
export async function dustIsGathered(crowd: Crowd): Promise<string[]> {
  const { rows } = await sql<{ asset: string; member_id: bigint; day: string; singles: bigint; sums: bigint }>`
    select d.asset, d.member_id, d.day::text as day, count(*) filter (where d.is_single) as singles,
      count(distinct d.posting_id) filter (where not d.is_single) as sums
    from dust_payment d group by d.asset, d.member_id, d.day`.execute(crowd.simulation.db)
  crowd.counts['dust sums'] = rows.filter(({ sums }) => sums > 0n).length
  const inList = await countRow(
    crowd,
    sql`select count(*) as n from deposit_receipt r join chain_event e on e.id = r.chain_event_id
      where e.amount < case e.asset when 'JU' then ${dustSteps.JU}::numeric when 'USDT' then ${dustSteps.USDT}::numeric
        else ${dustSteps.HASH}::numeric end`,
  )
  const singles = rows.reduce((sum, row) => sum + Number(row.singles), 0)
  return [
    ...rows.flatMap((row) =>
      row.singles > 3n || row.sums > 1n
        ? [`${row.singles} lines and ${row.sums} sums of dust in ${row.asset} on ${row.day} for ${row.member_id}`]
        : [],
    ),
    ...(inList > singles ? [`${inList} payments of dust are listed of ${singles}`] : []),
  ]
}

/** The ledger is sound and has what the contract holds. */
export async function booksAreRight({ simulation }: Crowd): Promise<string[]> {
  const { db, chain, contracts } = simulation
  const findings = (await auditLedger(db)).map(({ rule, subject, details }) => `${rule}: ${subject}: ${details}`)
  for (const asset of assetCodes) {
    const custody = -(await accountBalance(db, platformAccount('custody', asset)))
    const held = chain.head.state.balance(asset, contracts.gateway)
    if (custody > held) findings.push(`the books hold ${custody} of ${asset}, the contract ${held}`)
  }
  return findings
}
