import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { read } from './citations.ts'

/** What documents tell people to type exists and works, on every Node that package.json allows. */

const root = path.join(import.meta.dirname, '..')
/** Not the decisions, which tell what was tried, nor the copy of the verifier, which runs apart from the project. */
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'contracts/README.md', 'deploy/README.md'],
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'decisions.md')
    .map((name) => `docs/${name}`),
]
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const text = documents.map((file) => read(file)).join('\n')
/** Code between backticks, and lines of blocks. */
const code = [...text.matchAll(/^```[^]*?^```|`[^`\n]+`/gm)].map(([part]) => part).join('\n')
const named = (pattern: RegExp) => [...new Set([...code.matchAll(pattern)].map(([, name = '']) => name))].toSorted()

const npmScripts = named(/\bnpm (?:run (?:--silent )?)?((?!run\b|ci\b|audit\b|install\b|prune\b|sbom\b)[a-z][\w:-]*)/g)
const programs = named(/\bnpx node ([\w/-]+\.ts)/g)
/** What a script of package.json runs last: it gets the flags. */
const programOf = (script: string) => /node ([\w/.-]+\.ts)(?: && [\w ./-]+)?$/.exec(scripts[script] ?? '')?.[1]
/** Forge has its own help, and takes long to print it for the first time. */
const withHelp = [...programs, ...npmScripts.flatMap((name) => programOf(name) ?? [])].filter(
  (file, nth, all) => all.indexOf(file) === nth && file !== 'contracts/forge.ts',
)

describe('commands in documents', () => {
  test('are scripts of package.json', () => {
    expect(npmScripts.length).toBeGreaterThan(10)
    expect(npmScripts.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('name files that exist', () => {
    expect(programs.length).toBeGreaterThan(5)
    const tests = named(/\bnpx vitest run ([\w/.-]+)/g).filter((file) => !file.startsWith('path/'))
    expect(tests.length).toBeGreaterThan(5)
    expect([...programs, ...tests].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('run TypeScript with the Node of the lockfile, never with whatever Node the system has', () => {
    const bare = [...code.matchAll(/(?<!npx |\.bin\/)\bnode [\w/.<>-]+\.ts\b.*/g)].map(([line]) => line)
    expect(bare).toEqual([])
  })

  test.concurrent.each(withHelp)('%s says what it is for', async (file) => {
    const output = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [file, '--help'], { cwd: root }, (error, stdout, stderr) =>
        error === null ? resolve(stdout + stderr) : reject(error),
      )
    })
    expect(output.length).toBeGreaterThan(40)
    expect(output).not.toMatch(/^\s+at /m)
  })
})
