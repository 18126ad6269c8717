/** The Debian programs that the cluster is made of, and the account that root runs them as. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@candela/server/main/config'
import { type DebianProgram, findProgram, missingPackages } from '@candela/testing/process/debian-programs'

const OLDEST_POSTGRES = 15
const postgresRoot = '/usr/lib/postgresql'
/** The newest installed Postgres that has its programs. */
function findPostgres(): string | undefined {
  const versions = existsSync(postgresRoot) ? readdirSync(postgresRoot).map(Number) : []
  return versions
    .filter((version) => version >= OLDEST_POSTGRES)
    .toSorted((one, other) => other - one)
    .map((version) => join(postgresRoot, String(version), 'bin'))
    .find((bin) => ['postgres', 'psql', 'initdb'].every((name) => existsSync(join(bin, name))))
}

/** The Debian packages that are missing for these programs and Postgres. */
export const missingWithPostgres = (names: readonly DebianProgram[]): string[] => [
  ...missingPackages(names),
  ...(findPostgres() === undefined ? [`postgresql-${OLDEST_POSTGRES}`] : []),
]

/** @throws ConfigError with the command that installs what is missing */
export function requirePackages(names: readonly DebianProgram[]): void {
  const missing = missingWithPostgres(names)
  if (missing.length === 0) return
  throw new ConfigError(
    `Debian packages are missing: apt-get install --no-install-recommends ${missing.join(' ')} (then stop the services that they start)`,
  )
}

export const databasePrograms: readonly DebianProgram[] = ['etcd', 'patroni', 'haproxy', 'pgbouncer']
export const clusterPrograms: readonly DebianProgram[] = [...databasePrograms, 'redis-server']

/** The path of a program. @throws ConfigError when it is not installed */
export function programPath(name: DebianProgram): string {
  requirePackages([name])
  return findProgram(name) ?? name
}

/** The folder of Postgres' programs. @throws ConfigError when it is not installed */
export function postgresFolder(): string {
  requirePackages([])
  return findPostgres() ?? ''
}

/** Whether PgBouncer keeps prepared statements of a client between its transactions: 1.21 and newer do. */
export function keepsPreparedStatements(pgbouncer: string): boolean {
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(pgbouncer, ['-V']).toString()) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

const nobody = 65534

/** Postgres and PgBouncer refuse to run as root; root runs them as "nobody". */
export const unprivileged = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined
