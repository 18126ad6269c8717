/** `npm run cluster`: everything in many processes on one machine. Ctrl-C stops it; the next start goes on where it stopped. */
import { join, resolve } from 'node:path'
import { launch } from '../launch.ts'
import { rootInvitation } from '../seed/root-invitation.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

await launch(import.meta.filename, async ({ log, signal }) => {
  const folder = resolve(process.env['DATA_DIR'] ?? '.data', 'cluster')
  const cluster = await startCluster({ env: process.env, folder, log, signal })
  return { announcement: announcement(cluster, folder), failed: new Promise(() => {}), stop: cluster.stop }
})

function announcement({ url, rpcUrl, redisUrl, database, servers }: Cluster, folder: string): string {
  return [
    '',
    'Candela runs, in a cluster.',
    '',
    `  app              ${url}`,
    `  chain RPC        ${rpcUrl}`,
    `  Postgres         ${database.directUrl}  (the primary)`,
    `  PgBouncer        ${database.pooledUrl}`,
    `  Redis            ${redisUrl}`,
    ...servers.map(({ name, url: own, metricsUrl }) => `  ${name.padEnd(15)}  ${own}  ${metricsUrl}`),
    `  data             ${folder}`,
    `  logs             ${join(folder, 'database', 'logs')}, and ${folder} for the servers`,
    `  invitation code  ${rootInvitation}`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n')
}
