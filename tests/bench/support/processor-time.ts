/** How long processes have used a processor, from what Linux tells of them. */
import { readdir, readFile } from 'node:fs/promises'

/** Ticks of a second in /proc, on every Linux that Node runs on. */
const TICKS = 100

type Stat = { parent: number; used_s: number }

/** Seconds that these processes and all that they have started have used so far. */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const all = new Map<number, Stat>()
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readStat(name) : undefined
    if (stat !== undefined) all.set(Number(name), stat)
  }
  const counts = (pid: number): boolean => {
    const parent = all.get(pid)?.parent
    return pids.includes(pid) || (parent !== undefined && parent > 1 && counts(parent))
  }
  return [...all].reduce((sum, [pid, { used_s }]) => (counts(pid) ? sum + used_s : sum), 0)
}

/** Nanoseconds are what Linux counts a thread's time in. */
const NS = 1e9

/** Seconds that each thread of a process has used so far, together for those of one name. */
export async function threadSeconds(pid: number): Promise<Map<string, number>> {
  const seconds = new Map<string, number>()
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const read = (file: string) => readFile(`/proc/${pid}/task/${thread}/${file}`, 'utf8').catch(() => undefined)
    const [name, used] = [(await read('comm'))?.trim(), (await read('schedstat'))?.split(' ')[0]]
    // A thread may have ended since the folder was read.
    if (name !== undefined && used !== undefined) seconds.set(name, (seconds.get(name) ?? 0) + Number(used) / NS)
  }
  return seconds
}

async function readStat(pid: string): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name, in brackets, may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields === undefined) return undefined
  // From the state on: the parent is the 2nd, then the 12th to 15th are its own time and that of its children that have ended.
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
  const ticks = (user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0)
  return { parent: Number(fields[1]), used_s: ticks / TICKS }
}
