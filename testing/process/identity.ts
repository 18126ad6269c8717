import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/**
 * Tells a process from a later one with the same number: when it was started, and in which boot.
 * Undefined when there is no such process.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!exists(pid)) return undefined
  if (process.platform === 'linux') {
    // Not `/proc/<pid>/stat`: where another processor is emulated, a process reads other figures of itself there than others do.
    const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => undefined)
    if (stat === undefined) return undefined
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A killed program's first thread may end before its others, which still hold its files and ports.
    if (state === 'Z' && Number(rest[16]) <= 1) return undefined
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    return `${boot.trim()}/${rest[18]}`
  }
  if (process.platform === 'win32') return 'alive'
  return psField(pid, 'lstart')
}

/** One field of `ps` for one process; undefined when there is no such process. */
export function psField(pid: number, field: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', `${field}=`, '-p', String(pid)], (error, output) => {
      resolve(error || output.trim() === '' ? undefined : output.trim())
    })
  })
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
