/**
 * Builds the verifier into one file, `verify/dist/verify.mjs`, that runs on every Node of package.json and needs nothing beside it; the
 * package.json there makes it an npm package with a command: `npm run verifier`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'rolldown'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'verify', 'dist')
await build({
  logLevel: 'warn',
  platform: 'node',
  input: path.join(root, 'verify', 'verify.ts'),
  output: { file: path.join(folder, 'verify.mjs') },
})
const read = async (file: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path.join(root, file), 'utf8')) as Record<string, unknown>
const { engines } = await read('package.json')
const { name, version, description, license, type } = await read('verify/package.json')
const bin = { [String(name)]: 'verify.mjs' }
const manifest = { name, version, description, license, type, bin, files: ['verify.mjs'], engines }
await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
