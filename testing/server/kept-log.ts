import { createLog, type Log } from '@candela/server/kernel/log'

/** A log that is kept instead of written: its lines from this level on, oldest first, each ended by a line feed. */
export function keptLog(level: string): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { lines, log: createLog({ level, destination: { write: (line) => void lines.push(line) } }) }
}
