/**
 * Applies each mutant of `test/mutants/mutants.ts` to a copy of the contracts and runs the tests on it. A mutant that no
 * test finds is printed as survived.
 * As a script: `npx node contracts/mutants.ts [words of the mutants to try] [--from K]`. With `--from` the first K of these are left out, so
 * that a run which was stopped can be carried on.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyEdit } from '../tests/mutants/mutation.ts'
import { runForge } from './forge.ts'
import type { Mutant } from './test/mutants/mutant.ts'
import { mutants } from './test/mutants/mutants.ts'
import { readFlags } from '../scripts/usage.ts'

const root = import.meta.dirname

/** The result for a mutant: the test that failed, or undefined when it survived. */
interface Verdict {
  mutant: Mutant
  killedBy: string | undefined
}

/** A copy of the contracts beside a link to the libraries, as the settings expect them. */
async function makeCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-mutants-'))
  await symlink(join(root, '..', 'node_modules'), join(folder, 'node_modules'), 'junction')
  const copy = join(folder, 'contracts')
  await mkdir(copy)
  for (const part of ['src', 'test', 'foundry.toml', 'solc.ts', 'package.json']) {
    await cp(join(root, part), join(copy, part), { recursive: true })
  }
  const vectors = join('protocol', 'proof')
  await cp(join(root, '..', vectors), join(folder, vectors), { recursive: true })
  return folder
}

/** The file that a mutant changes, below a copy of this folder. */
export function sourceOf(mutant: Mutant, contracts: string): string {
  return join(contracts, 'src', mutant.file ?? 'PaymentGateway.sol')
}

/**
 * The contract with the mutant applied.
 * @throws when the mutant matches no place, or several: then the list of mutants is wrong
 */
export function applyMutant(source: string, mutant: Mutant): string {
  return applyEdit(source, { file: sourceOf(mutant, ''), search: mutant.search, replace: mutant.replace })
}

/**
 * The first failed test that forge names, by the line that has its runs or its gas. The actions of an invariant's sequence come before
 * it and have names of their own, `setUp` among them.
 */
export function failureIn(output: string): string | undefined {
  const from = output.indexOf('[FAIL')
  if (from < 0) return undefined
  const named = output
    .slice(from)
    .split('\n')
    .map((line) => / ((?:test|testFuzz|invariant)_\w+|setUp)\([\w[\],]*\) \((?:runs|gas):/.exec(line)?.[1])
  return named.find((name) => name !== undefined)
}

/**
 * Runs all tests on the copy: the name of one that failed, or undefined. With `linkLate` the tests load the contracts'
 * code when they run, so that they need not be compiled again for each mutant.
 */
async function firstFailure(cwd: string, linkLate: boolean): Promise<string | undefined> {
  const env = {
    FORGE_SNAPSHOT_CHECK: 'false',
    FORGE_SNAPSHOT_EMIT: 'false',
    FOUNDRY_PROFILE: 'default',
    FOUNDRY_DYNAMIC_TEST_LINKING: String(linkLate),
    // A failing sequence of actions is enough; it is not shortened.
    FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
  }
  const { exitCode, stdout, stderr } = await runForge(['test', '--fail-fast'], { cwd, env })
  if (exitCode === 0) return undefined
  const failure = failureIn(stdout)
  if (failure === undefined) throw new Error(`forge failed without a failing test:\n${stdout}${stderr}`)
  return failure
}

/**
 * Tries the mutants one after the other, each on the unchanged contracts.
 * @throws when the tests fail without a mutant, or a mutant cannot be applied or compiled
 */
async function tryMutants(list: readonly Mutant[], tell: (verdict: Verdict) => void): Promise<Verdict[]> {
  const folder = await makeCopy()
  try {
    const cwd = join(folder, 'contracts')
    const broken = await firstFailure(cwd, true)
    if (broken !== undefined) throw new Error(`${broken} fails without any mutant`)
    const verdicts: Verdict[] = []
    for (const mutant of list) {
      const path = sourceOf(mutant, cwd)
      const source = await readFile(path, 'utf8')
      await writeFile(path, applyMutant(source, mutant))
      // With late linking, a constructor that should revert and does not counts as reverted: survivors run again without it.
      const verdict = { mutant, killedBy: (await firstFailure(cwd, true)) ?? (await firstFailure(cwd, false)) }
      await writeFile(path, source)
      tell(verdict)
      verdicts.push(verdict)
    }
    return verdicts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values, positionals } = readFlags(import.meta.filename, {
    options: { from: { type: 'string', default: '0' } },
    allowPositionals: true,
  })
  const words = positionals.join(' ')
  const list = mutants.filter(({ bug }) => bug.includes(words)).slice(Number(values.from))
  const verdicts = await tryMutants(list, ({ mutant, killedBy }) => {
    process.stdout.write(`${killedBy === undefined ? 'SURVIVED' : 'killed'}  ${mutant.bug}  ${killedBy ?? ''}\n`)
  })
  const killed = verdicts.filter(({ killedBy }) => killedBy !== undefined).length
  process.stdout.write(`${killed} of ${verdicts.length} mutants killed\n`)
  if (killed < verdicts.length || verdicts.length === 0) process.exitCode = 1
}
