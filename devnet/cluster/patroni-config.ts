import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Network } from './network.ts'
import type { Place } from './place.ts'
import { postgresFolder } from './programs.ts'
import { readTemplate } from './templates.ts'

/** The configuration of one machine with little memory and no certificates, where it is not as in the template. */
export async function patroniConfig(
  place: Place,
  { member, etcds, network }: { member: string; etcds: readonly string[]; network: Network },
): Promise<string> {
  const file = parse(await readTemplate('postgres/patroni.yml')) as Record<string, Record<string, unknown>> & {
    bootstrap: { dcs: { postgresql: { parameters: Record<string, unknown>; recovery_conf?: unknown } } }
    postgresql: { authentication: Record<string, Record<string, string>>; pg_hba: string[] }
    restapi: { authentication: Record<string, string> }
  }
  const own = (port: string) => `${network.addressOf(member)}:${place.port(port)}`
  const { postgresql } = file.bootstrap.dcs
  const {
    archive_command: _,
    archive_timeout: __,
    ssl_cert_file: ___,
    ssl_key_file: ____,
    ssl_ca_file: _____,
    ...parameters
  } = postgresql.parameters
  delete postgresql.recovery_conf
  postgresql.parameters = {
    ...parameters,
    shared_buffers: '64MB',
    effective_cache_size: '256MB',
    maintenance_work_mem: '64MB',
    min_wal_size: '80MB',
    max_wal_size: '512MB',
    wal_keep_size: '512MB',
    archive_mode: 'off',
    ssl: 'off',
    unix_socket_directories: '',
  }
  const { authentication } = file.postgresql
  for (const role of ['superuser', 'replication', 'rewind']) {
    authentication[role] = { ...authentication[role], password: place.secret(role) }
  }
  const folder = await place.subfolder(member)
  return stringify({
    ...file,
    name: member,
    restapi: {
      ...file.restapi,
      listen: own(`${member}-patroni`),
      connect_address: own(`${member}-patroni`),
      authentication: { ...file.restapi.authentication, password: place.secret('restapi') },
    },
    etcd: { hosts: etcds.map((name) => `${network.host}:${place.port(name)}`).join(',') },
    postgresql: {
      ...file.postgresql,
      listen: own(member),
      connect_address: own(member),
      data_dir: join(folder, 'data'),
      bin_dir: postgresFolder(),
      pgpass: join(folder, 'pgpass'),
      pg_hba: file.postgresql.pg_hba
        .filter((line) => line.startsWith('hostssl'))
        .map((line) => line.replace('hostssl', 'host').replace('10.0.0.0/24', network.range)),
    },
  })
}
