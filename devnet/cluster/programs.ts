/** The Debian programs that the cluster is made of, and the account that root runs them as. */
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { ConfigError } from '@candela/server/main/config'
import { type DebianProgram, findProgram, missingPackages } from '@candela/testing/process/debian-programs'

/** @throws ConfigError with the command that installs what is missing */
export function requirePackages(names: readonly DebianProgram[]): void {
  const missing = missingPackages(names)
  if (missing.length === 0) return
  throw new ConfigError(
    `Debian packages are missing: apt-get install --no-install-recommends ${missing.join(' ')} (then stop the services that they start)`,
  )
}

export const clusterPrograms = ['postgres', 'etcd', 'patroni', 'haproxy', 'pgbouncer', 'redis-server'] as const
export const drillPrograms = ['postgres', 'pgbackrest'] as const

/** The path of a program. @throws ConfigError when it is not installed */
export function programPath(name: DebianProgram): string {
  requirePackages([name])
  return findProgram(name) ?? name
}

/** The folder of Postgres' programs. @throws ConfigError when it is not installed */
export const postgresFolder = (): string => dirname(programPath('postgres'))

/** Whether PgBouncer keeps prepared statements of a client between its transactions: 1.21 and newer do. */
export function keepsPreparedStatements(pgbouncer: string): boolean {
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(pgbouncer, ['-V']).toString()) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

const nobody = 65534

/** Postgres and PgBouncer refuse to run as root; root runs them as "nobody". */
export const unprivileged = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined
