import { join } from 'node:path'
import { testAccounts } from '@candela/testing/chain/accounts'
import { type Chain, startChain } from './chain/chain.ts'
import { deploy, type Deployment, readDeployment } from './deploy/deploy.ts'
import type { DevelopmentTime } from './development-time.ts'
import { spawnGuarded } from '@candela/testing/process/spawn-guarded'
import { readPastMark, writePastMark } from './past-mark.ts'
import { HISTORY_DAYS } from './seed/history.ts'
import type { LauncherSettings } from './settings.ts'

type Log = (line: string) => void

/** Starts the development chain, and deploys the contracts that it does not have yet. `isNew`: it had none. */
export async function startOwnChain(
  { config, history }: LauncherSettings,
  time: DevelopmentTime,
  log: Log,
  signal: AbortSignal,
  cleanups: (() => Promise<void>)[],
): Promise<{ chain: Chain; deployment: Deployment; isNew: boolean }> {
  const [owner] = testAccounts()
  if (owner === undefined) throw new Error('There are no test accounts')
  const file = join(config.dataDir, 'deployment.json')
  log('Starting the chain')
  const chain = await startChain({
    folder: join(config.dataDir, 'chain'),
    rich: owner.address,
    port: Number(new URL(config.chain.nodes[0].url).port),
    onLog: log,
    nowMs: time.nowMs,
    // A new chain begins in the past, and its deployment takes blocks faster than they tick.
    isTicking: false,
    ...(history === 'off' ? {} : { headStartS: HISTORY_DAYS * 86_400 }),
  })
  cleanups.push(chain.stop)
  const isNew = (await readDeployment(file)) === undefined || (await readPastMark(config.dataDir)) === 'due'
  if (isNew) {
    if (history !== 'off') await writePastMark(config.dataDir, 'due')
    log('Compiling the contracts')
    await compile(signal)
  }
  const mine = () => {
    signal.throwIfAborted()
    return chain.mine()
  }
  const onStep = (title: string) => log(`Deploying: ${title}`)
  const deployment = await deploy({ rpcUrl: chain.url, file, mine, onStep })
  // So that what was paid in counts at once instead of seconds after the start.
  const blocks = isNew ? config.chain.confirmations.large : 0
  for (let block = 0; block < blocks; block += 1) await mine()
  return { chain, deployment, isNew }
}

async function compile(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const lines: string[] = []
  const compiler = await spawnGuarded(process.execPath, [join(import.meta.dirname, 'deploy', 'compile.ts')], {
    onLine: (line) => lines.push(line),
  })
  const stop = () => void compiler.stop(500)
  signal.addEventListener('abort', stop, { once: true })
  const { code } = await compiler.exited
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (code !== 0) throw new Error(lines.join('\n'))
}
