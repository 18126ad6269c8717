/** Runs the seeds that its parent names, one after the other, on the Postgres that it was started with. */
import { databasesAt } from './databases.ts'
import { runSeed } from './run-seed.ts'

const [url = '', template = ''] = process.argv.slice(2)
const source = databasesAt(url, template)
let last: Promise<unknown> = Promise.resolve()
process.on('message', (seed: number) => {
  last = last.then(async () => process.send?.(await runSeed(source, seed)))
  last.catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  })
})
process.on('disconnect', () => {
  last.then(() => source[Symbol.asyncDispose]()).catch(() => process.exit(1))
})
