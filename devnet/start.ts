/** `npm start`: the whole product on one machine. Ctrl-C stops it; the next start goes on where it stopped. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { developmentMnemonic, testAccounts } from './chain/accounts.ts'
import { type Devnet, startDevnet } from './devnet.ts'
import { rootInvitation } from './seed/seed.ts'

const write = (text: string) => void process.stdout.write(`${text}\n`)
const beganMs = performance.now()
const log = (line: string) => write(`${((performance.now() - beganMs) / 1000).toFixed(1).padStart(7)} s  ${line}`)

const stopping = new AbortController()
// A Ctrl-C arrives more than once: the terminal sends it to all, and npm passes it on.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())

try {
  const settings = join(import.meta.dirname, '..', '.env')
  if (existsSync(settings)) process.loadEnvFile(settings)
  const devnet = await startDevnet({ env: process.env, log, signal: stopping.signal })
  log('Ready')
  write(announcement(devnet))
  const reason = await Promise.race([devnet.failed, aborted(stopping.signal)])
  if (reason !== undefined) {
    process.exitCode = 1
    log(`The chain cannot go on: ${reason.message}`)
  }
  log('Stopping')
  await devnet.stop()
  log('Stopped; everything is kept for the next start')
} catch (error) {
  if (stopping.signal.aborted) log('Stopped before the start was complete; the next start goes on from here')
  else {
    process.stderr.write(`candela: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

function announcement(devnet: Devnet): string {
  const { config } = devnet.settings
  const lines = [
    '',
    'Candela runs.',
    '',
    `  app              ${config.http.publicOrigin}`,
    `  chain RPC        ${devnet.rpcUrl}  (chain id ${CHAIN_ID})`,
    `  data             ${config.dataDir}`,
  ]
  if (devnet.chain !== undefined) {
    lines.push(
      `  invitation code  ${rootInvitation}`,
      '',
      '  Test accounts. Everybody knows their keys: play money only.',
    )
    lines.push(`  Mnemonic: ${developmentMnemonic}`)
    for (const { index, role, address, privateKey } of testAccounts()) {
      lines.push(`  ${index} ${role.padEnd(5)}  ${address}  ${privateKey}`)
    }
  }
  return [...lines, '', 'Ctrl-C stops everything.', ''].join('\n')
}
