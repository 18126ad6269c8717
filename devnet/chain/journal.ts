/**
 * The development chain on disk: a snapshot of everything up to one block, and a write-ahead journal of what was done
 * after it. A line is written before the change is made, so after a kill at any time a line either is missing or can be repeated.
 */
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '@candela/testing/process/write-file-atomic'

/** The first line of a journal: the block after which it goes on. */
export interface JournalHead {
  kind: 'head'
  /** The version of the journal's own format. */
  version: 1
  /** Everything that decides block hashes besides the journal's lines. */
  genesis: { chainId: number; hardfork: string; timestampS: number; rich: string }
  number: number
  hash: string | null
  timestampS: number
}

/** One line of a journal. */
export type JournalLine =
  | JournalHead
  /** A signed transaction was submitted; the node may still have refused it. */
  | { kind: 'tx'; raw: string }
  /** A block is about to be mined with this time. */
  | { kind: 'mine'; number: number; timestampS: number }
  /** The block was mined, with this hash. */
  | { kind: 'mined'; number: number; hash: string }

/** An open journal. Appending keeps order; `sync` resolves when all of it would survive a power cut. */
export interface Journal {
  append: (line: JournalLine) => Promise<void>
  sync: () => Promise<void>
  close: () => Promise<void>
}

/** A generation of the chain's state: `journal` always exists, `snapshot` for all but the first. */
export interface Generation {
  number: number
  journal: string
  snapshot: string | undefined
}

const journalName = /^journal-(\d+)\.ndjson$/

/** The generations in a folder, the newest last. */
export async function listGenerations(folder: string): Promise<Generation[]> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  return names
    .flatMap((name) => journalName.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((number) => {
      const snapshot = join(folder, snapshotName(number))
      return {
        number,
        journal: join(folder, `journal-${number}.ndjson`),
        snapshot: existsSync(snapshot) ? snapshot : undefined,
      }
    })
}

/**
 * Begins a generation. Its journal file appears last and complete, because a snapshot without one is ignored.
 */
export async function beginGeneration(
  folder: string,
  lines: readonly [JournalHead, ...JournalLine[]],
  snapshot: Buffer | undefined,
): Promise<Journal> {
  const { number } = lines[0]
  if (snapshot !== undefined) await writeFileAtomic(join(folder, snapshotName(number)), snapshot)
  const path = join(folder, `journal-${number}.ndjson`)
  await writeFileAtomic(path, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  await syncFolder(folder)
  return openForAppending(path)
}

/** Removes all generations but the newest and the one before it. */
export async function dropOldGenerations(folder: string): Promise<void> {
  const generations = await listGenerations(folder)
  const kept = new Set(generations.slice(-2).map((generation) => generation.number))
  for (const name of await readdir(folder)) {
    const found = /^(?:journal|snapshot)-(\d+)\./.exec(name)?.[1]
    if (found !== undefined && !kept.has(Number(found))) await rm(join(folder, name), { force: true })
  }
}

/**
 * Reads a journal and opens it for appending. The change of an incomplete last line was never made, so the line is removed.
 * @throws when any other line is not what was written
 */
export async function resumeJournal(path: string): Promise<{ lines: JournalLine[]; journal: Journal }> {
  const bytes = await readFile(path)
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
  const lines = whole
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((text, index) => parseLine(text, `${path}:${index + 1}`))
  if (whole.length < bytes.length) {
    const file = await open(path, 'r+')
    await file.truncate(whole.length)
    await file.close()
  }
  return { lines, journal: await openForAppending(path) }
}

function parseLine(text: string, place: string): JournalLine {
  try {
    return JSON.parse(text) as JournalLine
  } catch (error) {
    throw new Error(`${place} is damaged`, { cause: error })
  }
}

async function openForAppending(path: string): Promise<Journal> {
  const file: FileHandle = await open(path, 'a')
  let failure: unknown
  return {
    append: async (line) => {
      // A line that was written in part must stay the last one, so that the next start can remove it.
      if (failure !== undefined) throw failure
      try {
        await file.appendFile(`${JSON.stringify(line)}\n`)
      } catch (error) {
        failure = error
        throw error
      }
    },
    sync: () => file.datasync(),
    close: async () => {
      await file.datasync()
      await file.close()
    },
  }
}

function snapshotName(number: number): string {
  return `snapshot-${number}.json.gz`
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; there a rename is as durable as the system makes it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
