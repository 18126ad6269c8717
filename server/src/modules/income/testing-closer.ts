/** Closes days as a process of its own, to be killed: node testing-closer.ts <database URL> <day> <members a chunk> <now> */
import { openDatabase } from '../../db/open.ts'
import { fakeClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { closeDays } from './close-days.ts'
import { DEPTH } from './testing.ts'

const [url, day, chunk, now] = process.argv.slice(2)
if (url === undefined || day === undefined || now === undefined) throw new Error('see the first line for what to say')
const db = openDatabase({ url, log: silentLog(), poolSize: 2 })
// Whoever wants to kill us in the middle of it has to know when it begins.
process.stdout.write('closing\n')
await closeDays({ db, clock: fakeClock(now), depth: DEPTH, chunk: Number(chunk) }, day)
await db.destroy()
