import { link, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { execFile } from 'node:child_process'

/** A hold on a folder: only one living process has it. */
export type FolderOwner = { release(): Promise<void> }

/**
 * Takes a folder for this process. A hold left by a process that is gone (kill -9, power cut) is taken over.
 * @throws when a living process has it; the message names that process.
 */
export async function ownFolder(folder: string): Promise<FolderOwner> {
  const path = join(folder, 'owner.json')
  const mine = JSON.stringify({ pid: process.pid, identity: await processIdentity(process.pid), hold: randomUUID() })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, mine, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (await linkUnlessThere(draft, path)) return { release: () => releaseFile(path, mine) }
      await removeIfAbandoned(folder, path)
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new Error(`could not take the folder ${folder}: others keep taking it`)
}

/**
 * What tells a process from a later one with the same number: when it was started, and in which boot.
 * Undefined when there is no such process.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    if (stat === undefined) return undefined
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z') return undefined
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    return `${boot.trim()}/${rest[18]}`
  }
  if (process.platform === 'win32') return 'alive'
  return psField(pid, 'lstart')
}

/** Tells whether the process runs a Postgres whose working folder (always its data folder) is this one. */
export async function isPostgresOn(pid: number, dataFolder: string): Promise<boolean> {
  if ((await processIdentity(pid)) === undefined) return false
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    return folder === dataFolder && name.startsWith('postgres')
  }
  if (process.platform === 'win32') return true
  return ((await psField(pid, 'comm')) ?? '').includes('postgres')
}

async function linkUnlessThere(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeIfAbandoned(folder: string, path: string): Promise<void> {
  const held = await readFile(path, 'utf8').catch(() => undefined)
  if (held === undefined) return
  const { pid, identity } = parseHold(held)
  if (pid !== undefined && (await processIdentity(pid)) === identity) {
    throw new Error(`the folder ${folder} is in use by process ${pid}`)
  }
  // Moved away rather than deleted: if another starter was quicker, what we moved is its hold, and it goes back.
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if ((await readFile(aside, 'utf8')) !== held) await linkUnlessThere(aside, path)
  await rm(aside, { force: true })
}

function parseHold(text: string): { pid?: number; identity?: string } {
  try {
    return JSON.parse(text) as { pid?: number; identity?: string }
  } catch {
    // A torn file is what a power cut leaves: nobody holds it.
    return {}
  }
}

async function releaseFile(path: string, mine: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === mine) await rm(path, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function psField(pid: number, field: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', `${field}=`, '-p', String(pid)], (error, output) => {
      resolve(error || output.trim() === '' ? undefined : output.trim())
    })
  })
}
