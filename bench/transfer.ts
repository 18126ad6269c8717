/**
 * Transfers committed a second over HTTP, as production runs them, against pgbench's TPC-B on the same Postgres (fsync
 * on). Prints medians over interleaved rounds and the ratio of each pair of rounds.
 *
 *   node bench/transfer.ts [--rounds 5] [--transfers 6000] [--lines 64] [--clients 32]
 *
 * transfer: sealed envelope, session, EIP-712 signature checked, both balances, journal, committed, sealed answer; each
 * with an own signature and request id, made before the clock runs. Counted afterwards in the journal. pgbench is taken
 * from PATH (Debian: postgresql-contrib), with one branch a client, so that its clients do not wait for each other.
 * Client, server and database share the machine, in both.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createCipheriv, createHmac, randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { freePort } from '@candela/devnet/processes'
import { GATEWAY_PATH, signedText } from '@candela/protocol/envelope'
import { fromBaseUnits } from '@candela/protocol/money'
import { startEmbeddedPostgres } from '@candela/server/db/embedded'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postBatch } from '@candela/server/ledger/post'
import { hashToken } from '@candela/server/modules/session/log-in'
import { hashTerms } from '@candela/server/modules/transfer/hash-terms'
import { startChainForServer } from '@candela/server/testing-server'
import secp256k1 from 'secp256k1'
import { type Hex, hexToBytes, keccak256, toHex } from 'viem'
import { get, lines, percentile, postForm, saturate } from './http-load.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    transfers: { type: 'string', default: '6000' },
    lines: { type: 'string', default: '64' },
    clients: { type: 'string', default: '32' },
    profile: { type: 'string' },
  },
})
const rounds = Number(flags.rounds)
const transfers = Number(flags.transfers)
const clients = Number(flags.clients)
const members = 1_000
const ids = systemIds(systemClock)
const run = promisify(execFile)
function spread(values: number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return `${percentile(values, 0.5).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`
}
const say = (line: string) => process.stdout.write(`${line}\n`)

type Person = { key: Buffer; address: Hex; token: string }

function newPerson(): Person {
  const key = randomBytes(32)
  const address: Hex = `0x${keccak256(secp256k1.publicKeyCreate(key, false).subarray(1)).slice(-40)}`
  return { key, address, token: ids.token() }
}

/** A whole request for one USDT between two people, signed and sealed. */
function transferRequest(people: readonly Person[], digest: ReturnType<typeof hashTerms>): Buffer {
  const at = randomInt(people.length)
  const from = must(people[at], 'somebody')
  const to = must(people[(at + 1 + randomInt(people.length - 1)) % people.length], 'somebody else')
  const terms = {
    from: from.address,
    to: to.address,
    asset: 'USDT' as const,
    amount: 10n ** 18n,
    requestId: ids.token(),
    deadline: new Date(Date.now() + 5 * 60_000),
  }
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(digest(terms)), from.key)
  const data = {
    to: terms.to,
    asset: terms.asset,
    amount: fromBaseUnits(terms.amount),
    requestId: terms.requestId,
    deadline: terms.deadline.toISOString(),
    signature: toHex(Buffer.concat([signature, Buffer.from([27 + recid])])),
  }
  const headers = { Authorization: from.token, LANG: 'TW' }
  return seal({ method: 'POST', url: '/api/v1/transfer/index', data, headers })
}

function seal(inner: object): Buffer {
  const handshake = randomBytes(8).toString('hex')
  const timestamp = String(Date.now())
  const cipher = createCipheriv('aes-128-ecb', handshake, null)
  const data = cipher.update(JSON.stringify(inner), 'utf8', 'base64') + cipher.final('base64')
  const sign = createHmac('sha256', handshake).update(signedText(timestamp, data)).digest('hex')
  return postForm(GATEWAY_PATH, new URLSearchParams({ handshake, timestamp, sign, data }).toString())
}

/** The service as production runs it, its log in a file. */
async function startService(url: string, env: Record<string, string>): Promise<{ port: number; child: ChildProcess }> {
  const log = await open(join(folder, 'server.log'), 'a')
  const port = await freePort()
  const profile = flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`]
  const child = spawn(process.execPath, [...profile, join(import.meta.dirname, '../server/src/main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      EXIT_WITH_PARENT: 'on',
      PORT: String(port),
      PUBLIC_ORIGIN: 'https://app.example.org',
      RPC_URLS: 'https://rpc.example.org',
      DATABASE_URL: url,
      // A few members stand for many.
      RATE_LIMIT_SCALE: '1000000',
    },
    stdio: ['pipe', log.fd, log.fd],
  })
  await log.close()
  for (let attempt = 0; attempt < 300; attempt++) {
    const [line] = lines(port, 1)
    const answer = await line?.ask(get('/healthz'))
    line?.close()
    if (answer?.status === 200) return { port, child }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the service does not answer')
}

/** People with a session and a million USDT each. */
async function seed(db: Database): Promise<Person[]> {
  const people = Array.from({ length: members }, newPerson)
  const now = new Date()
  const rows = await db
    .insertInto('member')
    .values(
      people.map(({ address }, at) => ({
        address,
        inviter_id: null,
        invitation_code: `BENCH${String(at).padStart(5, '0')}`,
        ju_uid: null,
        joined_at: now,
      })),
    )
    .returning(['id', 'address'])
    .execute()
  const idOf = new Map(rows.map(({ id, address }) => [address, id]))
  const member = ({ address }: Person) => must(idOf.get(address), 'a row for each')
  await db
    .insertInto('session')
    .values(
      people.map((person) => ({
        token_hash: hashToken(person.token),
        id: crypto.randomUUID(),
        member_id: member(person),
        created_at: now,
        seen_at: now,
        expires_at: new Date(now.getTime() + 86_400_000),
        ended_at: null,
        user_agent: 'bench',
      })),
    )
    .execute()
  const funding = people.map((person) => ({
    id: ids.uuid(),
    kind: 'deposit' as const,
    legs: [
      {
        debit: platformAccount('custody', 'USDT'),
        credit: memberAccount(member(person), 'memberAvailable', 'USDT'),
        amount: 10n ** 24n,
      },
    ],
    memo: {},
    occurredAt: now,
  }))
  await transaction(db, (tx) => postBatch(tx, funding))
  return people
}

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
const postgres = await startEmbeddedPostgres({ folder })
const { chain, env } = await startChainForServer()
const children: ChildProcess[] = []
try {
  await compare()
} finally {
  for (const child of children) child.kill('SIGTERM')
  await chain.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function compare(): Promise<void> {
  const url = postgres.url()
  const service = await startService(url, env)
  children.push(service.child)
  const db = openDatabase({ url, log: silentLog(), poolSize: 4 })
  const people = await seed(db)
  const digest = hashTerms(env['GATEWAY_ADDRESS'] as Hex)
  const wide = lines(service.port, Number(flags.lines))
  await run('pgbench', ['-i', '-q', '-s', String(clients), url])

  const transferRound = async (): Promise<number> => {
    const requests = Array.from({ length: transfers }, () => transferRequest(people, digest))
    const before = await committed(db)
    const { took_s } = await saturate(wide, requests)
    const done = (await committed(db)) - before
    if (done !== transfers) throw new Error(`only ${done} of ${transfers} transfers were committed`)
    return done / took_s
  }
  const pgbenchRound = async (): Promise<number> => {
    const { stdout } = await run('pgbench', ['-n', '-c', String(clients), '-j', '2', '-T', '4', url])
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? Number.NaN)
  }
  const ours: number[] = []
  const theirs: number[] = []
  // The first round warms caches and plans and does not count.
  for (let round = 0; round <= rounds; round++) {
    // Who goes first alternates, so that neither always finds the disk busy with the other's pages.
    const first = round % 2 === 0 ? await transferRound() : await pgbenchRound()
    const second = round % 2 === 0 ? await pgbenchRound() : await transferRound()
    if (round === 0) continue
    ours.push(round % 2 === 0 ? first : second)
    theirs.push(round % 2 === 0 ? second : first)
  }
  const ratios = ours.map((each, round) => each / must(theirs[round], 'rounds come in pairs'))
  say(`transfers over HTTP: ${spread(ours, 0)} a second, ${flags.lines} connections`)
  say(`pgbench TPC-B: ${spread(theirs, 0)} a second, ${clients} clients, scale ${clients}`)
  say(`ratio: ${spread(ratios, 3)}`)
  const findings = await auditLedger(db)
  if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
  say('audit of everything posted: nothing found')
  for (const line of wide) line.close()
  await db.destroy()
}

async function committed(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('ledger_posting')
    .where('kind', '=', 'transfer')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
