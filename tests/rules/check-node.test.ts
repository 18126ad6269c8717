import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { read } from './support/citations.ts'

/** The commands `npm start`, `npm test` and `npm run build` say this before anything else, where they cannot work. */

const folder = mkdtempSync(path.join(tmpdir(), 'candela-check-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A project of its own, with what `npm ci` leaves. */
function project(name: string, installed: readonly string[]): string {
  const root = path.join(folder, name)
  mkdirSync(path.join(root, 'node_modules'), { recursive: true })
  cpSync(
    path.join(import.meta.dirname, '..', '..', 'scripts', 'check-node.js'),
    path.join(root, 'scripts', 'check-node.js'),
  )
  writeFileSync(path.join(root, 'package.json'), read('package.json'))
  for (const file of installed) writeFileSync(path.join(root, 'node_modules', file), '')
  return path.join(root, 'scripts', 'check-node.js')
}

const whole = project('whole', ['.package-lock.json', 'vite'])

function check(script: string, npmNode: string, event?: string): Promise<{ code: number; output: string }> {
  const env = {
    npm_config_user_agent: `npm/11.19.1 node/v${npmNode} linux x64 workspaces/false`,
    ...(event === undefined ? {} : { npm_lifecycle_event: event }),
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
    )
  })
}

describe('check-node.js', () => {
  test.each(['20.19.0', '20.20.2', '22.12.0', '22.13.1', '23.0.0', '24.0.0', '26.10.0', '30.0.0'])(
    'npm on Node %s may go on',
    async (version) => {
      expect(await check(whole, version)).toEqual({ code: 0, output: '' })
    },
  )

  test.each(['18.20.8', '20.0.0', '20.18.1', '21.7.3', '22.0.0', '22.11.0'])(
    'npm on Node %s is told in one line which one to take',
    async (version) => {
      const { code, output } = await check(whole, version)
      expect(code).toBe(1)
      expect(output).toBe(
        `candela: Node ${version} does not work here: take Node 24 or newer (^20.19.0 || >=22.12.0), and run "npm ci" again\n`,
      )
    },
  )

  test('says what is not installed', async () => {
    const [bare, production] = [project('bare', []), project('production', ['.package-lock.json'])]
    expect(await check(bare, '24.0.0')).toEqual({ code: 1, output: 'candela: run "npm ci" first\n' })
    expect((await check(production, '24.0.0')).output).toMatch(/^candela: .*run "npm ci --include=dev"\n$/)
  })

  test('an installation for production is whole without the packages that build', async () => {
    const production = project('installed', ['.package-lock.json'])
    expect(await check(production, '24.0.0', 'postinstall')).toEqual({ code: 0, output: '' })
  })

  test('gives commands the Node of the lockfile again where npm has removed it', async () => {
    const script = project('unlinked', ['.package-lock.json', 'vite'])
    const modules = path.join(path.dirname(script), '..', 'node_modules')
    const { platform, arch } = process
    const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`
    mkdirSync(path.join(modules, name, 'bin'), { recursive: true })
    writeFileSync(path.join(modules, name, 'bin', 'node'), 'own')
    const link = path.join(modules, '.bin', 'node')
    for (let time = 0; time < 2; time += 1) {
      expect(await check(script, '20.19.0')).toEqual({ code: 0, output: '' })
      expect(readFileSync(link, 'utf8')).toBe('own')
    }
    rmSync(link)
    symlinkSync('../gone', link)
    expect(await check(script, '20.19.0')).toEqual({ code: 0, output: '' })
    expect(readFileSync(link, 'utf8')).toBe('own')
  })

  test('comes before each command that a newcomer gives', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const name of ['test', 'build']) {
      expect(scripts[name], name).toBeDefined()
      expect(scripts[`pre${name}`], name).toBe('node scripts/check-node.js')
    }
    // Not as a script of its own, which npm leaves out where a user has turned scripts off.
    expect(scripts['start']).toMatch(/^node scripts\/check-node\.js && exec node /)
    expect(scripts['postinstall']).toBe('node scripts/check-node.js')
  })
})
