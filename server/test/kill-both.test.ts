import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { rechargeDataTypes } from '@candela/protocol/action-data'
import { assetCodes } from '@candela/protocol/assets'
import { startTestChain, type TestChain } from '@candela/server/chain/testing-chain'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/server/db/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { addMember, addPlan, WHOLE } from '@candela/server/modules/power/testing'
import { hashToken } from '@candela/server/modules/session/log-in'
import { sql } from 'kysely'
import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { deployGateway } from './payouts-scenario.ts'
import { environmentOf, Server, temporaryFolder } from './server-process.ts'

/** A few in every run; `KILLS=100 npx vitest run server/test/kill-both.test.ts` for the whole. */
const KILLS = Number(process.env['KILLS'] ?? 9)
const victims = ['the server', 'the postmaster', 'a backend'] as const
const RETRY_MS = 15

/** A member's client: asks for one thing after the other, each again and again under one id until it is answered. */
type Acknowledged = { kind: keyof typeof commands; requestId: string; number: string; at: number }

const commands = {
  withdraw: {
    path: 'withdraw/apply',
    input: { asset: 'USDT', amount: '6' },
    numberOf: (data: { withdrawal: { withdrawalNo: string } }) => data.withdrawal.withdrawalNo,
  },
  order: {
    path: 'power/getOrder',
    input: { planId: '1', units: '1', asset: 'USDT' },
    numberOf: (data: { order: { orderNo: string } }) => data.order.orderNo,
  },
  deposit: {
    path: 'deposit/getOrder',
    input: { asset: 'USDT', amount: '7' },
    numberOf: (data: { deposit: { depositNo: string } }) => data.deposit.depositNo,
  },
} as const

async function ask(origin: string, token: string, kind: keyof typeof commands, requestId: string) {
  const { path, input, numberOf } = commands[kind]
  const response = await fetch(`${origin}/api/v1/${path}`, {
    method: 'POST',
    headers: { Authorization: token },
    body: new URLSearchParams({ ...input, requestId }),
    signal: AbortSignal.timeout(5_000),
  })
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: never }
  if (code === 200) return numberOf(data)
  // Our fault, or too busy: it may have happened, and is asked for again. Anything else must not come here.
  if (code !== 500 && code !== 429) throw new Error(`${kind} was refused: ${code} ${message}`)
  return null
}

function startClient(origin: string, token: string, name: string) {
  const acknowledged: Acknowledged[] = []
  const stopping = new AbortController()
  const work = async () => {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      const kind = (['withdraw', 'order', 'deposit'] as const)[nth % 3] ?? 'withdraw'
      const requestId = `${name}-request-${nth}`
      let number: string | null = null
      while (number === null) {
        number = await ask(origin, token, kind, requestId).catch((error: unknown) => {
          if (error instanceof Error && error.message.includes('was refused')) throw error
          return null
        })
        if (number === null) await sleep(RETRY_MS)
      }
      acknowledged.push({ kind, requestId, number, at: performance.now() })
      await sleep(10)
    }
  }
  const ended = work()
  return {
    acknowledged,
    ended,
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

/** The real server, and whatever it takes to have one: a predecessor's connection may outlive it by a moment. */
async function startAgain(env: Record<string, string>): Promise<Server> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const server = new Server(env)
    await server.listening
    if (!server.isGone) return server
    if (!server.output.includes('another server is running')) throw new Error(`the server ended: ${server.output}`)
  }
  throw new Error('the database stays held')
}

async function killBackend(postgres: EmbeddedPostgres): Promise<void> {
  const db = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: 1 })
  try {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
      order by random() limit 1`.execute(db)
    process.kill(must(rows[0], 'the server is connected').pid, 'SIGKILL')
  } finally {
    await db.destroy()
  }
}

async function seedMembers(db: Database, owners: readonly Hex[]): Promise<string[]> {
  await addPlan(db, { totalUnits: 1_000_000, maxUnits: 10 })
  const now = new Date()
  for (const [key, value] of [
    ['openOrders', 1000],
    ['withdrawReviewUsdt', 1_000_000],
  ] as const) {
    await db
      .insertInto('setting')
      .values({ key, value: String(value), updated_at: now })
      .execute()
  }
  const tokens: string[] = []
  for (const owner of owners) {
    const token = randomBytes(32).toString('base64url')
    const times = { created_at: now, seen_at: now, expires_at: new Date(now.getTime() + 3_600_000), ended_at: null }
    const member_id = await addMember(db, owner)
    await db
      .insertInto('session')
      .values({ token_hash: hashToken(token), id: crypto.randomUUID(), member_id, user_agent: '', ...times })
      .execute()
    tokens.push(token)
  }
  return tokens
}

test(`${KILLS} kills of server and Postgres under load lose nothing`, { timeout: 60_000 + KILLS * 6_000 }, async () => {
  await using chain = await startTestChain()
  await using folder = await temporaryFolder()
  const key: Hex = `0x${randomBytes(32).toString('hex')}`
  const { gateway, startBlock } = await deployGateway(chain, privateKeyToAddress(key), 1_000_000n * WHOLE)
  const cluster = () => startEmbeddedPostgres({ folder: `${folder.path}/postgres`, port: postgres?.port ?? 0 })
  let postgres: EmbeddedPostgres | undefined
  postgres = await cluster()
  const db = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: 2 })
  await migrate(db)
  const owners = chain.payers.slice(0, 2)
  const tokens = await seedMembers(db, owners)
  const ports = await environmentOf(chain, { url: postgres.url() }, `${folder.path}/cache`)
  const env = {
    ...ports,
    GATEWAY_ADDRESS: gateway,
    START_BLOCK: String(startBlock),
    PAYER_KEY: key,
    RATE_LIMIT_SCALE: '1000000',
  }
  const deposits = new Set<Hex>()
  const pay = async (owner: Hex, amount: bigint) => {
    const data = encodeAbiParameters(rechargeDataTypes, [amount, chain.usdt, owner, ''])
    const call = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: ['deposit', data] })
    deposits.add(await chain.send(owner, gateway, call))
  }
  for (const owner of owners) await pay(owner, 400_000n * WHOLE)
  await chain.mine(4)

  let server = await startAgain(env)
  const origin = `http://127.0.0.1:${ports['PORT']}`
  const credited = async () =>
    (
      await db
        .selectFrom('chain_event')
        .select('id')
        .where('state', '=', 'credited')
        .where('action', '=', 'deposit')
        .execute()
    ).length
  await expect.poll(credited, { timeout: 20_000 }).toBe(owners.length)

  const chainGoesOn = new AbortController()
  const goOn = async () => {
    for (let nth = 0; !chainGoesOn.signal.aborted; nth++) {
      if (nth % 4 === 0) await pay(must(owners[nth % 2], 'two'), BigInt(1 + (nth % 97)) * WHOLE)
      await chain.client.mine({ blocks: 1 })
      await sleep(60)
    }
  }
  const clients = tokens.map((token, at) => startClient(origin, token, `client${at}`))
  const acknowledgedSince = (at: number) => clients.some(({ acknowledged }) => (acknowledged.at(-1)?.at ?? 0) > at)
  const recovery: Record<(typeof victims)[number], number[]> = {
    'the server': [],
    'the postmaster': [],
    'a backend': [],
  }

  const kill = async () => {
    for (let kills = 0; kills < KILLS; kills++) {
      // Something is under way, and what it is differs.
      const before = performance.now()
      while (!acknowledgedSince(before)) await sleep(5)
      await sleep(Math.random() * 250)
      const victim = must(victims[kills % victims.length], 'a victim')
      const running = must(postgres, 'Postgres runs')
      const killed = performance.now()
      if (victim === 'the server') {
        await server.end('SIGKILL')
        server = await startAgain(env)
      } else if (victim === 'the postmaster') {
        process.kill(running.pid, 'SIGKILL')
        await running.exited
        postgres = await cluster()
      } else {
        await killBackend(running)
        // What is committed while Postgres goes down counts for nothing.
        await sleep(20)
      }
      const up = victim === 'a backend' ? killed + 20 : performance.now()
      while (!acknowledgedSince(victim === 'a backend' ? up : killed)) {
        if (server.isGone) throw new Error(`the server ended: ${server.output.slice(-2_000)}`)
        await sleep(2)
      }
      recovery[victim].push(performance.now() - killed)
    }
  }
  const load = goOn()
  await kill()
  await Promise.all(clients.map((client) => client.stop()))
  chainGoesOn.abort()
  await load

  const open = async () =>
    (await db.selectFrom('withdrawal').select('id').where('state', 'not in', ['done', 'rejected', 'failed']).execute())
      .length
  const settled = async () => (await open()) === 0 && (await credited()) === deposits.size
  for (let wait = 0; wait < 600 && !(await settled()); wait++) {
    await chain.client.mine({ blocks: 1 })
    await sleep(50)
  }
  await server.end('SIGTERM')

  const acknowledged = clients.flatMap((client) => client.acknowledged)
  for (const victim of victims) {
    const sorted = recovery[victim].toSorted((a, b) => a - b)
    const [middle, worst] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
    process.stdout.write(
      `kill-both: ${sorted.length} × ${victim}: answered again after ${Math.round(middle)} ms, at worst ${Math.round(worst)} ms\n`,
    )
  }
  process.stdout.write(`kill-both: ${acknowledged.length} commands were acknowledged, ${deposits.size} payments sent\n`)
  await expectNothingLost(db, acknowledged)
  await expectChainToAgree(db, chain, { gateway, startBlock, deposits })
  await db.destroy()
  await postgres?.stop()
})

/** Each acknowledged command is there once, under the number that its client was told. */
async function expectNothingLost(db: Database, acknowledged: readonly Acknowledged[]): Promise<void> {
  const rows = {
    withdraw: (await db.selectFrom('withdrawal').select('withdrawal_no as number').execute()).map(
      ({ number }) => number,
    ),
    order: (await db.selectFrom('power_order').select('order_no as number').execute()).map(({ number }) => number),
    deposit: (await db.selectFrom('deposit').select('deposit_no as number').execute()).map(({ number }) => number),
  }
  for (const kind of ['withdraw', 'order', 'deposit'] as const) {
    const told = acknowledged.filter((one) => one.kind === kind).map(({ number }) => number)
    expect(told.length).toBeGreaterThan(KILLS / 3)
    // The clients ended after an answer, so nothing is there that nobody was told of.
    expect(rows[kind].toSorted()).toEqual(told.toSorted())
  }
}

async function expectChainToAgree(
  db: Database,
  chain: TestChain,
  { gateway, startBlock, deposits }: { gateway: Hex; startBlock: bigint; deposits: ReadonlySet<string> },
): Promise<void> {
  const events = await db.selectFrom('chain_event').selectAll().where('action', '=', 'deposit').execute()
  expect(events.map(({ tx_hash }) => tx_hash).toSorted()).toEqual([...deposits].toSorted())
  const paid = await chain.client.getContractEvents({
    address: gateway,
    abi: paymentGatewayAbi,
    eventName: 'Paid',
    fromBlock: startBlock,
  })
  const withdrawals = await db.selectFrom('withdrawal').selectAll().execute()
  expect(withdrawals.every(({ state }) => state === 'done')).toBe(true)
  expect(paid.map(({ args }) => String(args.id)).toSorted()).toEqual(
    withdrawals.map(({ payout_id }) => payout_id).toSorted(),
  )
  expect(await auditLedger(db)).toEqual([])
  for (const asset of assetCodes) {
    const held =
      asset === 'JU'
        ? await chain.client.getBalance({ address: gateway })
        : await chain.client.readContract({
            address: asset === 'USDT' ? chain.usdt : chain.hash,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [gateway],
          })
    expect([asset, -(await accountBalance(db, platformAccount('custody', asset)))]).toEqual([asset, held])
  }
}
