/**
 * Takes every picture of the app and shows them beside those of the last time: `npm run pictures [folder]`. Each screen in each
 * state and language, and each piece in each theme; `index.html` in the folder has all of them, what has changed first.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { writeReport } from './report.ts'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const root = path.resolve(process.argv[2] ?? '.data/pictures')
const [now, last] = [path.join(root, 'now'), path.join(root, 'last')]

/** Sets of pictures, each with products of its own, one after the other. */
const sets: Record<string, readonly string[]> = {
  pieces: ['pieces.ts'],
  screens: ['screens.ts'],
  narrow: ['screens.ts', 'narrow'],
  income: ['income-screens.ts'],
  lending: ['lending-screens.ts'],
  solvency: ['solvency-screens.ts'],
  proof: ['proof-screens.ts'],
}

function run(script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...args], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}`))))
  })
}

if (existsSync(now)) {
  await rm(last, { recursive: true, force: true })
  await rename(now, last)
}
for (const [set, [script = '', ...args]] of Object.entries(sets)) {
  const folder = path.join(now, set)
  await mkdir(folder, { recursive: true })
  await run(script, [folder, ...args])
}
const { pictures, changed } = await writeReport(root)
process.stdout.write(`${pictures} pictures, ${changed} of them new or changed: ${path.join(root, 'index.html')}\n`)
