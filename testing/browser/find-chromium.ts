/**
 * Finds the browser of the journeys. The first choice on Linux is Chromium's headless shell that npm brings: the same
 * engine without the windows around it, in the version of the lockfile, at a fifth of the processor time for each profile.
 */
import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { link, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { findProgram } from '../process/debian-programs.ts'

const cache = path.join(import.meta.dirname, '../..', 'node_modules', '.cache', 'candela')

/** The path of a Chromium: CHROMIUM_PATH, else the one that npm brought if it runs on this machine, else an installed one. */
export async function lookForChromium(): Promise<string | undefined> {
  const isChosen = (process.env['CHROMIUM_PATH'] ?? '') !== ''
  return (isChosen ? undefined : await packedChromium()) ?? findProgram('chromium')
}

/** @throws when there is none, with what to do about it */
export async function findChromium(): Promise<string> {
  const found = await lookForChromium()
  if (found === undefined) throw new Error('No Chromium was found: install Chromium, or set CHROMIUM_PATH to one')
  return found
}

/** The headless shell of `@sparticuz/chromium`, unpacked once per version; undefined where it does not run. */
async function packedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const require = createRequire(import.meta.url)
  const root = path.join(path.dirname(require.resolve('@sparticuz/chromium')), '..')
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const target = path.join(cache, `chromium-${version}`)
  if (!existsSync(target)) await unpack(path.join(root, 'bin', 'chromium.br'), target)
  // Without some system libraries (libnss3) it does not start.
  const isUsable = await promisify(execFile)(target, ['--version']).then(
    () => true,
    () => false,
  )
  return isUsable ? target : undefined
}

/**
 * Unpacks a file, whole before others see it. One that is there already is never replaced: a Chromium that runs from it
 * finds itself by its path when it starts the process of a page.
 */
export async function unpack(packed: string, target: string): Promise<void> {
  const store = path.dirname(target)
  await mkdir(store, { recursive: true })
  const folder = await mkdtemp(path.join(store, 'unpacking-'))
  const draft = path.join(folder, 'chromium')
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(draft, { mode: 0o755 }))
    await link(draft, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
