/** `npm run drill:restore`: loses a database and restores it. Ends with 1 when something is not as docs/operate/operations.md says. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runDrill } from './drill.ts'
import type { Written } from './compare.ts'
import { showHelp } from '../../scripts/usage.ts'

showHelp(import.meta.filename)

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
const write = (text: string) => void process.stdout.write(`${text}\n`)
const list = (title: string, lines: readonly string[]) => write([`${title}: ${lines.length}`, ...lines].join('\n  '))
const describe = ({ occurredAt, kind, memo, entries }: Written) => `${occurredAt}  ${kind}  ${memo}  ${entries}`

const folder = await mkdtemp(join(tmpdir(), 'candela-drill-'))
try {
  await chmod(folder, 0o755)
  const report = await runDrill({ folder, log: write, signal: stopping.signal })
  write(`\nRestored to ${report.instant} in ${report.restore_s.toFixed(1)} s.`)
  list('Came again from the chain, exactly as before', report.cameAgain.map(describe))
  list('Lost: acknowledged after the instant, and on no chain', report.lost.map(describe))
  list('Came again otherwise', report.different.map(describe))
  list('New', report.added.map(describe))
  list('Not in the repository', report.missingInRepository.map(describe))
  list('Found by the audit', report.findings)
  list('Calls after the instant in the log', report.logLines)
  write(report.difference === '' ? 'Books and chain agree.' : `Books and chain differ: ${report.difference}`)
  if (report.different.length + report.missingInRepository.length + report.findings.length > 0) process.exitCode = 1
} catch (error) {
  process.stderr.write(`candela: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
