import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildsFolder, root } from '../../scripts/builds-folder.ts'
import { buildWhenChanged } from './build-when-changed.ts'
import { runTool } from './run-tool.ts'

const server = join(root, 'server')
const folder = join(buildsFolder, 'server', 'dist')

/** Files of the build: what the server, the operator's command line and a thread of a snapshot begin with. */
export const serverProgram = join(folder, 'main.js')
export const operatorProgram = join(folder, 'candela.js')
export const snapshotThread = join(folder, 'snapshot-thread.js')

/**
 * Makes sure of a build of the server and of the operator's command line, as production runs them.
 * @throws with what does not build
 */
export async function buildServer(
  log: (line: string) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const build = {
    name: 'the server',
    folder,
    sources: ['server/src', 'protocol'],
    variant: await readFile(join(server, 'build.ts'), 'utf8'),
    async make(draft: string) {
      const { code, lines } = await runTool([join(server, 'build.ts'), draft], signal, { isBackground: true })
      if (code !== 0) throw new Error(`The server does not build:\n${lines.slice(-15).join('\n')}`)
    },
  }
  await buildWhenChanged(build, log)
}
