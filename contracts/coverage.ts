/**
 * Measures the coverage of the tests, and fails unless it is every branch and every line of the gateway.
 * As a script: `npx node contracts/coverage.ts`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runForge } from './forge.ts'
import { showHelp } from '../scripts/usage.ts'

showHelp(import.meta.filename)

const libraries = join(import.meta.dirname, '..', 'node_modules')
const folder = await mkdtemp(join(tmpdir(), 'candela-coverage-'))
try {
  const file = join(folder, 'lcov.info')
  const { exitCode, stdout, stderr } = await runForge(
    [
      'coverage',
      '--exclude-tests',
      '--report=summary',
      '--report=lcov',
      `--report-file=${file}`,
      // An absolute path, because coverage has its own parser, which cannot resolve imports relative to a path with `..`.
      `--remappings=@openzeppelin/contracts/=${join(libraries, '@openzeppelin/contracts')}/`,
      `--out=${join(folder, 'out')}`,
      `--cache-path=${join(folder, 'cache')}`,
    ],
    { env: { FORGE_SNAPSHOT_CHECK: 'false', FORGE_SNAPSHOT_EMIT: 'false' } },
  )
  if (exitCode !== 0) throw new Error(`forge coverage failed:\n${stdout}${stderr}`)
  process.stdout.write(stdout.slice(stdout.indexOf('╭---')))
  const records = (await readFile(file, 'utf8')).split('end_of_record')
  for (const contract of ['PaymentGateway', 'AttestedGateway', 'SumTree']) {
    const record = records.find((text) => text.includes(`SF:src/${contract}.sol`))
    const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)$`, 'm').exec(record ?? '')?.[1] ?? Number.NaN)
    const [lines, linesHit] = [figure('LF'), figure('LH')]
    const [branches, branchesHit] = [figure('BRF'), figure('BRH')]
    process.stdout.write(`${contract}: ${branchesHit} of ${branches} branches, ${linesHit} of ${lines} lines\n`)
    // Written so that a missing figure (NaN) fails too.
    if (!(branchesHit === branches && lines > 0 && linesHit === lines)) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
