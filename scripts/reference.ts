/**
 * Prints what the code says of itself, as a table: `npm run reference -- commands` (the operator's, with roles and how many sign),
 * `events` (of the log, with what to do), `settings` (which operators can change) or `invariants` (with the test of each). Words behind
 * that choose lines that have them.
 */
import { settingTable } from '@candela/server/db/settings'
import { logAdvice } from '@candela/server/operator/log-advice'
import { type LogEvent, logEvents } from '@candela/server/kernel/log-events'
import { commandRows } from '@candela/server/operator/table/document'
import { invariants } from '../tests/rules/shown-by/invariants.ts'
import { endWithUsage, showHelp } from './usage.ts'

showHelp(import.meta.filename)

const tables: Readonly<Record<string, () => string[][]>> = {
  commands: () => [['command', 'role', 'operators', 'what it does'], ...commandRows()],
  events: () => [
    ['event', 'meaning', 'what to do'],
    ...(Object.keys(logEvents) as LogEvent[]).map((name) => [name, logEvents[name], logAdvice[name] ?? '–']),
  ],
  invariants: () => [['invariant', 'test'], ...Object.entries(invariants)],
  settings: () => [
    ['setting', 'default', 'limits', 'two sign', 'about'],
    ...Object.entries(settingTable).map(([name, { default: value, min, max, dangerous, about }]) => [
      name,
      String(value),
      `${min} to ${max}`,
      dangerous,
      about,
    ]),
  ],
}

const [subject = '', ...words] = process.argv.slice(2)
const table = Object.hasOwn(tables, subject) ? tables[subject] : undefined
if (table === undefined) endWithUsage(import.meta.filename, `No such table: ${subject || 'none was named'}`)
const [head = [], ...rows] = table()
const chosen = rows.filter((row) => words.every((word) => row.join(' ').includes(word)))
const lines = [head, head.map(() => '---'), ...chosen].map((row) => `| ${row.join(' | ')} |`)
process.stdout.write(`${lines.join('\n')}\n`)
