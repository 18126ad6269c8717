/**
 * Makes the files of a release from the commit that is checked out: `npm run release`. The version is that of package.json, and its
 * notes stand in CHANGELOG.md. Runs `npm test` first; `--without-tests` leaves that out, to try the rest. Writes the archive of the
 * sources, the bill of materials, the notes, the verifier and the page of the API, with the SHA-256 of each, to `.data/release/VERSION/`, and says how to tag the commit.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { notesOf } from './release-notes.ts'
import { readFlags } from './usage.ts'

const { values } = readFlags(import.meta.filename, {
  options: { 'without-tests': { type: 'boolean', default: false } },
})

const root = path.join(import.meta.dirname, '..')
const run = (program: string, given: readonly string[]): string =>
  execFileSync(program, given, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
const notes = notesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version)
const changed = run('git', ['status', '--porcelain'])
if (changed !== '') throw new Error(`Commit these first, because the archive is that of the commit:\n${changed}`)
if (!values['without-tests']) execFileSync('npm', ['test'], { cwd: root, stdio: 'inherit' })

const name = `candela-${version}`
const folder = path.join(root, '.data', 'release', version)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const files = [`${name}.tar.gz`, `${name}.cdx.json`, `${name}.md`, 'verify.mjs', 'api.html'] as const
const [archive, bill, text] = files
run('git', ['archive', '--format=tar.gz', `--prefix=${name}/`, `--output=${path.join(folder, archive)}`, 'HEAD'])
writeFileSync(path.join(folder, bill), run('npm', ['run', '--silent', 'sbom']))
writeFileSync(path.join(folder, text), notes)
for (const script of ['verifier', 'openapi']) run('npm', ['run', '--silent', script])
copyFileSync(path.join(root, 'verify', 'dist', 'verify.mjs'), path.join(folder, 'verify.mjs'))
copyFileSync(path.join(root, 'docs', 'api.html'), path.join(folder, 'api.html'))
const sums = files.map((file) => {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(folder, file)))
    .digest('hex')
  return `${hash}  ${file}\n`
})
writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''))
process.stdout.write(
  `${folder}\n${sums.join('')}Then: git tag --annotate v${version} --file ${path.join(folder, text)}\n`,
)
