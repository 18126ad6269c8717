/**
 * Finds and runs forge from its npm platform package. npm's own `.bin/forge` is a wrapper that leaves the real process
 * behind when it is killed.
 * As a script: `node contracts/forge.ts test -vvv` runs forge in this folder.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

const root = import.meta.dirname

/** The path of the real binary for this platform; an error if npm has not installed one. */
function forgeBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/forge-${process.platform}-${arch}`
  const binary = process.platform === 'win32' ? 'forge.exe' : 'forge'
  try {
    // The platform package is an optional dependency of the tool's package, so it is looked for from there.
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json')
    const path = join(dirname(createRequire(wrapper).resolve(`${name}/package.json`)), 'bin', binary)
    if (existsSync(path)) return path
  } catch {
    // Continues to the error below, which names the missing package.
  }
  throw new Error(`${name} is not installed: run npm ci on this machine (Foundry has no build for every platform)`)
}

/** The result of a run of forge. */
export interface ForgeResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** forge starts ./solc.ts by its first line, `env node`, which must find this version of Node. */
function environment(extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  return { ...process.env, ...extra, PATH: path }
}

/**
 * Runs forge in `contracts/`, or in the copy of it that `cwd` names, and collects its output. An exit code other than
 * zero is a result, not an error.
 * @throws when forge cannot be started
 */
export function runForge(
  args: readonly string[],
  { env = {}, cwd = root }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<ForgeResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(forgeBinary(), args, {
      cwd,
      env: environment({ NO_COLOR: '1', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ exitCode: code ?? 1, ...output }))
  })
}

if (import.meta.main) {
  const child = spawn(forgeBinary(), process.argv.slice(2), {
    cwd: root,
    env: environment({}),
    stdio: 'inherit',
  })
  child.once('close', (code) => (process.exitCode = code ?? 1))
}
