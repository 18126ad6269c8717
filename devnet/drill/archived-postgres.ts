/** A Postgres whose log goes to a pgBackRest repository piece by piece, and copies that are restored from it. */
import { execFile } from 'node:child_process'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@candela/testing/process/ports'
import { spawnGuarded } from '@candela/testing/process/spawn-guarded'
import { postgresFolder, programPath, unprivileged } from '../cluster/programs.ts'
import { fillTemplate, readTemplate } from '../cluster/templates.ts'

/** A running Postgres on one data folder. */
export interface ArchivedPostgres {
  /** As the servers' account. */
  url: string
  /** As the account that owns the tables, for migrations. */
  ownerUrl: string
  /** Ends it: in order, or as a machine that is gone does. */
  stop: (how: 'SIGINT' | 'SIGKILL') => Promise<void>
}

/** A repository and the folders whose Postgres it is for. */
export interface Archive {
  /** Makes a new cluster whose log is archived, with the server's account and database. */
  create: () => Promise<ArchivedPostgres>
  backup: (of: ArchivedPostgres) => Promise<void>
  /** Closes the piece of the log that is being written, and waits until it is in the repository. */
  flush: (from: ArchivedPostgres) => Promise<void>
  /** Restores into a new folder, up to an instant ("2026-11-22 10:00:00.123456+00") or without one as far as the repository goes. */
  restore: (name: string, until: string | undefined) => Promise<ArchivedPostgres>
  /** One statement as superuser. @returns its first column */
  query: (on: ArchivedPostgres, statement: string) => Promise<string>
}

const password = 'drill'
const urlOf = (name: string, port: number) => `postgres://${name}:${password}@127.0.0.1:${port}/candela`
const passwordsOf = (names: readonly string[]) => names.flatMap((name) => ['-v', `${name}_password=${password}`])
const run = promisify(execFile)
const stanza = 'candela'
const graceMs = 15_000
const readyWithinMs = 60_000

/** @param folder empty; reachable for "nobody" when we are root */
export async function openArchive(folder: string): Promise<Archive> {
  const account = unprivileged()
  const bin = postgresFolder()
  const pgbackrest = programPath('pgbackrest')
  const sub = async (name: string): Promise<string> => {
    const path = join(folder, name)
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (account !== undefined) await chown(path, account.uid, account.gid)
    return path
  }
  const work = await sub('work')
  const first = join(await sub('original'), 'data')
  // The repository of the template is on another machine; this one is a folder. All else is as it is there.
  const config = join(work, 'pgbackrest.conf')
  const text = await fillTemplate('postgres/pgbackrest.conf', [
    [/repo1-type=s3\nrepo1-path=.*\n(?:repo1-s3-.*\n)+/, `repo1-type=posix\nrepo1-path=${await sub('repository')}\n`],
    [/repo1-cipher-type=.*/, 'repo1-cipher-type=aes-256-cbc\nrepo1-cipher-pass=drill'],
    [/spool-path=.*/, `spool-path=${await sub('spool')}\nlock-path=${await sub('lock')}\nlog-path=${work}`],
    [/pg1-path=.*/, `pg1-path=${first}`],
  ])
  await writeFile(config, text, { mode: 0o644 })

  const environment = { PATH: process.env['PATH'], LANG: 'C.UTF-8', TZ: 'UTC' }
  const as = { ...account, cwd: work, env: environment }
  const backrest = (port: number, ...args: string[]) =>
    run(
      pgbackrest,
      [`--config=${config}`, `--stanza=${stanza}`, `--pg1-port=${port}`, '--pg1-user=postgres', ...args],
      {
        ...as,
        env: { ...environment, PGHOST: '127.0.0.1', PGPASSWORD: password },
      },
    )
  const ports = new WeakMap<ArchivedPostgres, number>()
  const portOf = (postgres: ArchivedPostgres): number => ports.get(postgres) ?? 0
  const psql = (port: number, database: string, args: readonly string[]) =>
    run(join(bin, 'psql'), ['-X', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', String(port), ...args, database], {
      env: { ...environment, PGUSER: 'postgres', PGPASSWORD: password },
    }).then(({ stdout }) => stdout.trim())

  const start = async (data: string, archives: boolean): Promise<ArchivedPostgres> => {
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: work,
      archive_mode: archives ? 'on' : 'off',
      archive_command: `${pgbackrest} --config=${config} --stanza=${stanza} archive-push %p`,
      timezone: 'UTC',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const lines: string[] = []
    const child = await spawnGuarded(join(bin, 'postgres'), ['-D', data, ...args], {
      cwd: work,
      env: environment,
      account,
      orphanGraceMs: graceMs,
      onLine: (line) => lines.push(line),
    })
    let hasEnded = false
    void child.exited.then(() => (hasEnded = true))
    const postgres: ArchivedPostgres = {
      url: urlOf('candela', port),
      ownerUrl: urlOf('candela_owner', port),
      async stop(how) {
        if (hasEnded) return
        if (how === 'SIGINT') process.kill(child.pid, 'SIGINT')
        await child.stop(how === 'SIGKILL' ? 0 : graceMs)
      },
    }
    ports.set(postgres, port)
    const giveUpMs = performance.now() + readyWithinMs
    while ((await psql(port, 'postgres', ['-tAc', 'select pg_is_in_recovery()']).catch(() => '')) !== 'f') {
      if (hasEnded || performance.now() > giveUpMs) {
        await child.stop(0)
        throw new Error(`Postgres did not start: ${lines.slice(-5).join('\n')}`)
      }
      await sleep(100)
    }
    return postgres
  }

  return {
    async create() {
      const passwords = join(work, 'password')
      await writeFile(passwords, password)
      const options = [
        '--username=postgres',
        '--auth=scram-sha-256',
        `--pwfile=${passwords}`,
        '--locale=C.UTF-8',
        '--data-checksums',
      ]
      await run(join(bin, 'initdb'), ['-D', first, ...options], as)
      const postgres = await start(first, true)
      const sql = join(work, 'database.sql')
      await writeFile(sql, await readTemplate('postgres/database.sql'))
      await psql(portOf(postgres), 'postgres', [...passwordsOf(['candela', 'candela_owner']), '-f', sql])
      await backrest(portOf(postgres), 'stanza-create')
      await backrest(portOf(postgres), 'check')
      return postgres
    },
    async backup(of) {
      await backrest(portOf(of), '--type=full', 'backup')
    },
    async flush(from) {
      const piece = await psql(portOf(from), 'postgres', ['-tAc', 'select pg_walfile_name(pg_switch_wal())'])
      const archived = () =>
        psql(portOf(from), 'postgres', ['-tAc', `select last_archived_wal >= '${piece}' from pg_stat_archiver`])
      while ((await archived()) !== 't') await sleep(100)
    },
    async restore(name, until) {
      const data = join(await sub(name), 'data')
      await mkdir(data, { mode: 0o700 })
      if (account !== undefined) await chown(data, account.uid, account.gid)
      const target = until === undefined ? [] : ['--type=time', `--target=${until}`, '--target-action=promote']
      await run(
        pgbackrest,
        [`--config=${config}`, `--stanza=${stanza}`, `--pg1-path=${data}`, ...target, 'restore'],
        as,
      )
      // A copy must not write into the repository of the original.
      return start(data, false)
    },
    query: (on, statement) => psql(portOf(on), 'candela', ['-tAc', statement]),
  }
}
