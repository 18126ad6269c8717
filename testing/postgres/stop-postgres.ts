import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processIdentity, psField } from '../process/identity.ts'

const stepMs = 20
/** Fast shutdown first; then immediate, which the next start repairs from the log; then a kill. */
const signals = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const

/** The lines of `postmaster.pid` in a data folder: its process, its folder, …; the eighth is its state. */
export async function readPidFile(data: string): Promise<string[]> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')
}

/** Stops the postmaster that a killed process left running on a data folder. */
export async function stopOrphan(data: string): Promise<void> {
  const pid = Number((await readPidFile(data))[0])
  if (!Number.isInteger(pid) || pid <= 0) return
  if (await isPostgresOn(pid, data)) {
    await stopPostmaster(pid, async () => (await processIdentity(pid)) !== undefined)
    return
  }
  // The number may by now belong to another process of the same user, which Postgres would take for a postmaster.
  await rm(join(data, 'postmaster.pid'), { force: true })
}

/** Stops a postmaster and waits for its end. @throws when it runs even after a kill */
export async function stopPostmaster(pid: number, isRunning: () => boolean | Promise<boolean>): Promise<void> {
  for (const [signal, limitMs] of signals) {
    if (!(await isRunning())) return
    if (!sendSignal(pid, signal)) return
    for (let waitedMs = 0; waitedMs < limitMs && (await isRunning()); waitedMs += stepMs) await sleep(stepMs)
  }
  if (await isRunning()) throw new Error(`Postgres (process ${pid}) cannot be stopped`)
}

/** False when the process has ended in the meantime. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Whether the process is a Postgres whose working folder, which always is its data folder, is this one. */
async function isPostgresOn(pid: number, dataFolder: string): Promise<boolean> {
  if ((await processIdentity(pid)) === undefined) return false
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    return folder === dataFolder && name.startsWith('postgres')
  }
  if (process.platform === 'win32') return true
  return ((await psField(pid, 'comm')) ?? '').includes('postgres')
}
