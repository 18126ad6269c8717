/**
 * Transfers committed a second over HTTP, as production runs them, against pgbench's TPC-B on the same Postgres (fsync
 * on). Prints medians over interleaved rounds and the ratio of each pair of rounds.
 *
 *   npx node tests/bench/transfer.ts [--rounds 5] [--transfers 6000] [--lines 64] [--clients 32]
 *
 * transfer: sealed envelope, session, EIP-712 signature checked, both balances, journal, committed, sealed answer; each
 * with an own signature and request id, made before the clock runs. Counted afterwards in the journal. pgbench is taken
 * from PATH (Debian: postgresql-contrib), with one branch a client, so that its clients do not wait for each other.
 * Client, server and database share the machine, in both.
 */
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postBatch } from '@candela/server/ledger/post'
import { hashTerms, type TransferDomain, transferDomain } from '@candela/server/modules/transfer/hash-terms'
import { hexToBytes } from 'viem'
import { seal } from './http/envelope.ts'
import { print, spread } from './support/figures.ts'
import { connections, saturate } from './http/http-load.ts'
import { WARM_UP_ROUNDS } from './support/rounds.ts'
import { addMembers, type Member, type Person, sign } from './support/people.ts'
import { startService } from './support/service.ts'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
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

/** A whole request for one USDT between two people, signed and sealed. */
function transferRequest(people: readonly Person[], domain: TransferDomain): Buffer {
  const at = randomInt(people.length)
  const from = must(people[at], 'somebody')
  const to = must(people[(at + 1 + randomInt(people.length - 1)) % people.length], 'somebody else')
  const terms = {
    from: from.address,
    to: to.address,
    asset: 'USDT' as const,
    amount: 10n ** 18n,
    requestId: ids.uuid(),
    deadline: new Date(Date.now() + 5 * 60_000),
  }
  const data = {
    to: terms.to,
    asset: terms.asset,
    amount: fromBaseUnits(terms.amount),
    requestId: terms.requestId,
    deadline: terms.deadline.toISOString(),
    signature: sign(from, hexToBytes(hashTerms(domain, terms))),
  }
  const headers = { Authorization: from.token, LANG: 'TW' }
  return seal({ method: 'POST', url: '/api/v1/transfer/index', data, headers }).request
}

/** A million USDT for each. */
async function fund(db: Database, people: readonly Member[]): Promise<void> {
  const funding = people.map(({ memberId }) => ({
    id: ids.uuid(),
    kind: 'deposit' as const,
    legs: [
      {
        debit: platformAccount('custody', 'USDT'),
        credit: memberAccount(memberId, 'memberAvailable', 'USDT'),
        amount: 10n ** 24n,
      },
    ],
    memo: testMemo(),
    occurredAt: systemClock.now(),
  }))
  await transaction(db, (tx) => postBatch(tx, funding))
}

const service = await startService({
  nodeArguments: flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`],
})
try {
  await compare()
} finally {
  await service.stop()
}

async function compare(): Promise<void> {
  const { url } = service
  const db = openDatabase({ url, log: silentLog(), poolSize: 4 })
  const people = await addMembers(db, members)
  await fund(db, people)
  // Few members stand for many; that the day's budget is kept is part of what is measured.
  await db
    .insertInto('setting')
    .values({ key: 'transfersPerDay', value: '1000000000', updated_at: systemClock.now() })
    .execute()
  const domain = transferDomain(service.gateway)
  const wide = connections(service.port, Number(flags.lines))
  await run('pgbench', ['-i', '-q', '-s', String(clients), url])

  const transferRound = async (): Promise<number> => {
    const requests = Array.from({ length: transfers }, () => transferRequest(people, domain))
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
  for (let nth = 0; nth < WARM_UP_ROUNDS; nth++) await transferRound()
  // The first round warms caches and plans and does not count.
  for (let round = 0; round <= rounds; round++) {
    // The order alternates, so that neither always finds the disk busy with the other's pages.
    const first = round % 2 === 0 ? await transferRound() : await pgbenchRound()
    const second = round % 2 === 0 ? await pgbenchRound() : await transferRound()
    if (round === 0) continue
    ours.push(round % 2 === 0 ? first : second)
    theirs.push(round % 2 === 0 ? second : first)
  }
  const ratios = ours.map((each, round) => each / must(theirs[round], 'rounds come in pairs'))
  print(`transfers over HTTP: ${spread(ours, 0)} a second, ${flags.lines} connections`)
  print(`pgbench TPC-B: ${spread(theirs, 0)} a second, ${clients} clients, scale ${clients}`)
  print(`ratio: ${spread(ratios, 3)}`)
  const findings = await auditLedger(db)
  if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
  print('audit of everything posted: nothing found')
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
