/**
 * Closes days in a process of its own, which a test kills:
 * node testing-closer.ts <database URL> <day> <members a chunk> <now> <most chunks>
 * After so many chunks it waits for ever, so that it never finishes, however late it is killed.
 */
import { openDatabase } from '../../db/open.ts'
import { fakeClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { closeDays } from './close-days.ts'
import { DEPTH } from './testing.ts'

const [url, day, chunk, now, most] = process.argv.slice(2)
if (url === undefined || day === undefined || now === undefined || most === undefined)
  throw new Error('see the first line for what to say')
const db = openDatabase({ url, log: silentLog(), poolSize: 2 })
const still = fakeClock(now)
let asked = 0
// Each transaction asks for the time once.
const clock = {
  now() {
    asked += 1
    if (asked > Number(most)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    return still.now()
  },
}
await closeDays({ db, clock, depth: DEPTH, chunk: Number(chunk) }, day)
await db.destroy()
