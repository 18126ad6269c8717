import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildsFolder, root } from '../../scripts/builds-folder.ts'
import { buildWhenChanged } from './build-when-changed.ts'
import { runTool } from './run-tool.ts'

const web = join(root, 'web')
const outFolders = { devnet: 'dist-devnet', production: 'dist' } as const

/** The kind of build: `devnet` has the demo wallet, `production` speaks through the envelope. */
export type WebMode = keyof typeof outFolders

/**
 * Makes sure of a build of the web app.
 * @param builtIn contracts and RPCs that a production build knows, as variables of its environment
 * @returns the folder, absolute
 * @throws with the tool's last lines when the sources do not build
 */
export async function buildWeb(
  mode: WebMode,
  builtIn: Readonly<Record<string, string>>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const folder = join(buildsFolder, 'web', outFolders[mode])
  const build = {
    name: 'the web app',
    folder,
    sources: ['web', 'protocol'],
    variant: [mode, process.env['VITE_API_BASE'] ?? '', ...Object.values(builtIn)].join(' '),
    async make(draft: string) {
      await runVite(mode, draft, signal, builtIn)
      if (!existsSync(join(draft, 'index.html'))) throw new Error('Building the web app left no index.html')
    },
  }
  await buildWhenChanged(build, log)
  return folder
}

/**
 * Builds into a folder, whatever was built before.
 * @param env added to the tool's own, such as `VITE_API_BASE`
 * @throws with the tool's last lines when the sources do not build
 */
export async function runVite(
  mode: WebMode,
  outDir: string,
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const require = createRequire(join(web, 'package.json'))
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js')
  // Loaded by Node itself: Vite's own way writes beside the packages.
  const args = [
    vite,
    'build',
    '--configLoader',
    'native',
    '--mode',
    mode,
    '--outDir',
    outDir,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ]
  // Vite's own mode decides; ours must not leak in.
  const options = { cwd: web, env: { NODE_ENV: 'production', ...env }, isBackground: true }
  const { code, lines } = await runTool(args, signal, options)
  if (code !== 0) throw new Error(`The web app does not build:\n${lines.slice(-15).join('\n')}`)
}
