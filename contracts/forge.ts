/**
 * Finds and runs forge from its npm platform package.
 * As a script: `npx node contracts/forge.ts test -vvv` runs forge in this folder.
 */
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { platformPackage } from './platform-package.ts'

const root = import.meta.dirname

/** The path of the binary for this platform. @throws when npm has not installed one */
function forgeBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const folder = platformPackage(join(root, 'package.json'), `@foundry-rs/forge-${process.platform}-${arch}`)
  return join(folder, 'bin', process.platform === 'win32' ? 'forge.exe' : 'forge')
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
