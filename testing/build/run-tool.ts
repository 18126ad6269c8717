import { constants, setPriority } from 'node:os'
import { spawnGuarded } from '../process/spawn-guarded.ts'

/** `isBackground`: gives way to whatever else wants the processor, and uses one of them. */
export interface ToolOptions {
  cwd?: string
  env?: Readonly<Record<string, string>>
  isBackground?: boolean
}

/**
 * Runs a program for Node in a process of its own, which the signal ends.
 * @returns its exit code, and all lines that it wrote
 * @throws the signal's reason
 */
export async function runTool(
  args: readonly string[],
  signal: AbortSignal,
  { cwd, env, isBackground = false }: ToolOptions = {},
): Promise<{ code: number | null; lines: string[] }> {
  signal.throwIfAborted()
  const lines: string[] = []
  const tool = await spawnGuarded(process.execPath, args, {
    ...(cwd === undefined ? {} : { cwd }),
    // The bundler's threads wait for each other by turning in a loop, which takes from others.
    env: { ...(isBackground && { RAYON_NUM_THREADS: '1' }), ...process.env, ...env },
    onLine: (line) => lines.push(line),
  })
  if (isBackground) giveWay(tool.pid)
  const stop = () => void tool.stop(500)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const { code } = await tool.exited
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  return { code, lines }
}

/** Where that is not possible, or the process has ended already, nothing is lost but a moment. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It runs as everything else does.
  }
}
