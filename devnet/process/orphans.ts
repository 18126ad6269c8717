/** What a launcher that was killed may have left running, noted so that the next one ends that and nothing else. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processIdentity } from './folder-lock.ts'
import { writeWhole } from '../chain/journal.ts'
import { signal } from './spawn-guarded.ts'

/** The notes of one data folder. */
export interface Leftovers {
  /** Notes the present process of a part. */
  note: (part: string, pid: number) => Promise<void>
  /** Ends what earlier notes name and still is what they name; then forgets them. @returns the parts it ended */
  end: () => Promise<string[]>
}

interface Note {
  part: string
  pid: number
  /** When the process started and in which boot, so that a later process with its number is not taken for it. */
  identity: string
}

const patienceMs = 5000

/** Opens the notes. Only the owner of the folder may. */
export function openLeftovers(dataDir: string): Leftovers {
  const path = join(dataDir, 'processes.json')
  const notes = new Map<string, Note>()
  return {
    note: async (part, pid) => {
      const identity = await processIdentity(pid)
      if (identity === undefined) return
      notes.set(part, { part, pid, identity })
      await writeWhole(path, JSON.stringify([...notes.values()]))
    },
    end: async () => {
      const ended: string[] = []
      for (const note of await readNotes(path)) {
        const isAlive = async () => (await processIdentity(note.pid)) === note.identity
        if (!(await isAlive())) continue
        signal(note.pid, 'SIGTERM')
        for (let waitedMs = 0; waitedMs < patienceMs && (await isAlive()); waitedMs += 50) await sleep(50)
        if (await isAlive()) signal(note.pid, 'SIGKILL')
        while (await isAlive()) await sleep(20)
        ended.push(note.part)
      }
      await rm(path, { force: true })
      return ended
    },
  }
}

async function readNotes(path: string): Promise<Note[]> {
  const text = await readFile(path, 'utf8').catch(() => '[]')
  try {
    return JSON.parse(text) as Note[]
  } catch {
    // Nobody else writes it, and it is written whole; what cannot be read names nothing that could be ended safely.
    return []
  }
}
