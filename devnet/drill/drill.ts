/**
 * The loss of the database, and its restore to an instant: with a real Postgres, its log in a repository, a chain that went on, and
 * the server that reads the chain again. Says what comes back by itself and what does not.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { drillPrograms, requirePackages } from '../cluster/programs.ts'
import { startDevnet } from '../devnet.ts'
import { freePort } from '@candela/testing/process/ports'
import { openLogFile, startServer } from '../server-process.ts'
import { type ArchivedPostgres, openArchive } from './archived-postgres.ts'
import { signIn } from './calls.ts'
import { compare, findWrong, readPostings, type Written } from './compare.ts'

/** The findings of the drill. */
export interface DrillReport {
  /** Up to which the database was restored. */
  instant: string
  /** Posted after the instant and not by the restored copy itself: recorded again from the chain, exactly as before. */
  cameAgain: Written[]
  /** Acknowledged after the instant and on no chain. */
  lost: Written[]
  /** The request id of the transfer that is lost. */
  lostTransfer: string
  /** Recorded again, but otherwise than before. */
  different: Written[]
  /** Recorded by the restored server and never before. */
  added: Written[]
  /** The original's postings that the repository did not have. */
  missingInRepository: Written[]
  /** The findings of the audit of the restored ledger. */
  findings: string[]
  /** Why the restored server pays nothing out; empty when it does. */
  difference: string
  /** Lines of the log for calls after the instant that changed something. */
  logLines: string[]
  restore_s: number
}

const ALICE = 6
const BOB = 7

const credited = (count: number) => `count(*) = ${count} from chain_event where outcome = 'balance'`

/** @param options.folder empty, and reachable for "nobody" when we are root */
export async function runDrill(options: {
  folder: string
  log: (line: string) => void
  signal: AbortSignal
}): Promise<DrillReport> {
  const { folder, log, signal } = options
  requirePackages(drillPrograms)
  await mkdir(folder, { recursive: true })
  const cleanups: (() => Promise<void>)[] = []
  const started = (postgres: ArchivedPostgres): ArchivedPostgres => {
    cleanups.push(() => postgres.stop('SIGINT'))
    return postgres
  }
  try {
    log('Starting a Postgres whose log goes to a repository')
    const archive = await openArchive(folder)
    const original = started(await archive.create())
    const env = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: original.ownerUrl,
      PORT: String(await freePort()),
      RPC_URL: '',
      RPC_PORT: String(await freePort()),
      SEED_HISTORY: 'off',
      RECONCILE_INTERVAL_S: '1',
      PATH: process.env['PATH'],
    }
    const devnet = await startDevnet({ env, log, signal })
    cleanups.push(devnet.stop)
    const { chain, deployment, url } = devnet
    if (chain === undefined || deployment === undefined) throw new Error('The drill needs a chain of its own')
    const place = { url, chain, deployment }
    const untilTrue = async (on: ArchivedPostgres, what: string, statement: string) => {
      for (let tries = 0; (await archive.query(on, `select ${statement}`)) !== 't'; tries += 1) {
        signal.throwIfAborted()
        if (tries === 600) throw new Error(`${what} did not come within a minute`)
        await sleep(100)
      }
    }

    log('Before the backup: a deposit and a transfer')
    const [alice, bob] = [await signIn(place, ALICE), await signIn(place, BOB)]
    await alice.deposit(100)
    await untilTrue(original, 'the first deposit', credited(1))
    await alice.transfer(bob.address, 1)
    log('Making the backup')
    await archive.backup(original)
    log('After the backup: a transfer that only the archived log has')
    await alice.transfer(bob.address, 2)
    // pgBackRest tells the end of a backup in whole seconds, and restores only to an instant of a later one.
    await sleep(2_000)
    const instant = await archive.query(original, 'select clock_timestamp()')
    log(`The instant to which will be restored: ${instant}. After it: a deposit, a transfer, a withdrawal`)
    const lostTransfer = await alice.transfer(bob.address, 4)
    await bob.deposit(50)
    await untilTrue(original, 'the second deposit', credited(2))
    await alice.withdraw(20)
    await untilTrue(original, 'the withdrawal', "count(*) = 1 from withdrawal where state = 'done'")
    await archive.flush(original)

    log('The machine is lost')
    await devnet.stopServer()
    const before = await readPostings(original.url)
    await original.stop('SIGKILL')
    const began_ms = performance.now()
    log('Restoring to the instant')
    const restored = started(await archive.restore('restored', instant))
    const restore_s = (performance.now() - began_ms) / 1000
    log(`Restored in ${restore_s.toFixed(1)} s. Restoring a second copy as far as the repository goes, to compare with`)
    const whole = started(await archive.restore('whole', undefined))
    const [atInstant, everything] = [await readPostings(restored.url), await readPostings(whole.url)]

    log('Starting the server on the restored database')
    const logFile = await openLogFile(join(folder, 'restored-server.log'))
    cleanups.push(() => new Promise((resolve) => void logFile.end(resolve)))
    const port = await freePort()
    const serverEnv = {
      ...devnet.settings.serverEnvironment({ databaseUrl: restored.url, deployment, webDist: '' }),
      PORT: String(port),
      PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    }
    const server = await startServer({ env: serverEnv, port, logFile, log }, signal, () => Promise.resolve())
    cleanups.push(server.stop)
    await untilTrue(restored, 'the second deposit, again', credited(2))
    const paid = await archive.query(whole, "select count(*) from chain_event where action = 'paid'")
    await untilTrue(
      restored,
      'what the chain says of the withdrawal',
      `count(*) >= ${paid} from chain_event where action = 'paid' and block_number < (select followed from chain_cursor)`,
    )
    const seen = 'select max(id) from reconciliation'
    await untilTrue(
      restored,
      'a comparison of books and chain',
      `max(id) > ${(await archive.query(restored, seen)) || 0} from reconciliation`,
    )
    const after = await readPostings(restored.url)
    const { same, different, lacking } = compare(everything, after)
    return {
      instant,
      cameAgain: same.filter(({ id }) => !atInstant.has(id)),
      lost: lacking,
      lostTransfer,
      different,
      added: [...after.values()].filter(({ id }) => !everything.has(id)),
      missingInRepository: compare(before, everything).lacking,
      findings: await findWrong(restored.url),
      difference: await archive.query(
        restored,
        "select coalesce(finding, '') from reconciliation order by id desc limit 1",
      ),
      logLines: await linesAfter(join(env.DATA_DIR, 'server.log'), instant),
      restore_s,
    }
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

/** Reads calls after the instant that may have changed something from the log, which is kept on another machine. */
async function linesAfter(file: string, instant: string): Promise<string[]> {
  const since_ms = Date.parse(instant)
  return (await readFile(file, 'utf8')).split('\n').filter((line) => {
    if (!line.includes('"call.answered"') || !line.includes('POST ')) return false
    const { time } = JSON.parse(line) as { time: number | string }
    return new Date(time).getTime() >= since_ms
  })
}
