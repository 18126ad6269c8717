/** The processes that a launcher started, kept on disk, so that the next launcher can end those that are still running. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFileAtomic } from './write-file-atomic.ts'
import { processIdentity } from './identity.ts'
import { signal } from './spawn-guarded.ts'

/** The registry of one data folder. */
export interface ProcessRegistry {
  /** Records the current process of a part. */
  record: (part: string, pid: number) => Promise<void>
  /** Ends the processes that an earlier launcher recorded and that still run; empties the registry. @returns their parts */
  endOrphans: () => Promise<string[]>
}

interface ProcessRecord {
  part: string
  pid: number
  /** When the process started and in which boot, so that a later process with its number is not taken for it. */
  identity: string
}

const graceMs = 5000

/** Opens the registry. The caller must have locked the folder. */
export function openProcessRegistry(dataDir: string): ProcessRegistry {
  const path = join(dataDir, 'processes.json')
  const records = new Map<string, ProcessRecord>()
  return {
    record: async (part, pid) => {
      const identity = await processIdentity(pid)
      if (identity === undefined) return
      records.set(part, { part, pid, identity })
      await writeFileAtomic(path, JSON.stringify([...records.values()]))
    },
    endOrphans: async () => {
      const ended: string[] = []
      for (const record of await readRecords(path)) {
        const isRunning = async () => (await processIdentity(record.pid)) === record.identity
        if (!(await isRunning())) continue
        signal(record.pid, 'SIGTERM')
        for (let waitedMs = 0; waitedMs < graceMs && (await isRunning()); waitedMs += 50) await sleep(50)
        if (await isRunning()) signal(record.pid, 'SIGKILL')
        while (await isRunning()) await sleep(20)
        ended.push(record.part)
      }
      await rm(path, { force: true })
      return ended
    },
  }
}

async function readRecords(path: string): Promise<ProcessRecord[]> {
  const text = await readFile(path, 'utf8').catch(() => '[]')
  try {
    return JSON.parse(text) as ProcessRecord[]
  } catch {
    // Only this module writes the file, and atomically. A file that cannot be parsed names no process that is safe to end.
    return []
  }
}
