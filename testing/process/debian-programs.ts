/** Programs of Debian that are used where they are installed, and what to install for them. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const packages = {
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  ip: 'iproute2',
  nginx: 'nginx',
  openssl: 'openssl',
  patroni: 'patroni',
  perl: 'perl',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  'redis-server': 'redis-server',
  'systemd-analyze': 'systemd',
} as const

export type DebianProgram = keyof typeof packages

/** Debian keeps some of them where only root looks. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/usr/bin', '/sbin']

/** Where the program is; undefined when it is not installed. */
export const findProgram = (name: DebianProgram): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

/** The packages of those programs that are not installed. */
export const missingPackages = (names: readonly DebianProgram[]): string[] =>
  names.filter((name) => findProgram(name) === undefined).map((name) => packages[name])

/** Why a test with these programs cannot run here; undefined when it can. */
export function whySkipped(...names: DebianProgram[]): string | undefined {
  const missing = missingPackages(names)
  return missing.length === 0 ? undefined : `needs the Debian packages ${missing.join(', ')}`
}
