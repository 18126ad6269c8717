import { join } from 'node:path'
import { isCompiled } from '@candela/contracts/artifacts.ts'
import { testAccounts } from '@candela/testing/chain/accounts'
import { type Chain, startChain } from './chain/chain.ts'
import { deploy, type Deployment, readDeployment } from './deploy/deploy.ts'
import type { DevelopmentTime } from './development-time.ts'
import { runTool } from '@candela/testing/build/run-tool'
import { HISTORY_DAYS, readPastMark, writePastMark } from './past-mark.ts'
import type { LauncherSettings } from './settings.ts'

type Log = (line: string) => void

/** Starts the development chain, and deploys the contracts that it does not have yet. `isNew`: it had none. */
export async function startOwnChain(
  { config, history, chainRules: rules }: LauncherSettings,
  time: DevelopmentTime,
  log: Log,
  signal: AbortSignal,
  cleanups: (() => Promise<void>)[],
): Promise<{ chain: Chain; deployment: Deployment; isNew: boolean }> {
  const [owner] = testAccounts()
  if (owner === undefined) throw new Error('There are no test accounts')
  const file = join(config.dataDir, 'deployment.json')
  const isNew = (await readDeployment(file)) === undefined || (await readPastMark(config.dataDir)) === 'due'
  const compiled = isNew ? compile(log, signal) : Promise.resolve()
  // Reported where it is waited for. When the chain does not start, the signal ends it.
  compiled.catch(() => undefined)
  log('Starting the chain')
  const chain = await startChain({
    folder: join(config.dataDir, 'chain'),
    rich: owner.address,
    port: Number(new URL(config.chain.nodes[0].url).port),
    rules,
    onLog: log,
    nowMs: time.nowMs,
    // A new chain begins in the past, and its deployment takes blocks faster than they tick.
    isTicking: false,
    ...(history === 'off' ? {} : { headStartS: HISTORY_DAYS * 86_400 }),
  })
  cleanups.push(chain.stop)
  if (isNew && history !== 'off') await writePastMark(config.dataDir, 'due')
  await compiled
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

/** Does nothing where the contracts are those of the version: what they compile to is kept. */
async function compile(log: Log, signal: AbortSignal): Promise<void> {
  if (await isCompiled('PaymentGateway')) return
  log('Compiling the contracts')
  const { code, lines } = await runTool([join(import.meta.dirname, 'deploy', 'compile.ts')], signal)
  if (code !== 0) throw new Error(lines.join('\n'))
}
