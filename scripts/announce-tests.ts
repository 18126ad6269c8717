/** The first lines of `npm test`: what it does, and for about how long. */
import { tracked } from '../tests/rules/support/source-files.ts'

/** Minutes on a machine with two cores that does nothing else. */
const MINUTES = { check: 0.7, tests: 5, long: 20 }

const tests = tracked.filter((file) => /\.test\.tsx?$/.test(file))
const long = tests.filter((file) => file.endsWith('.long.test.ts'))

const lines = [
  `npm run check: formatting, lint, types, unused code. About ${60 * MINUTES.check} s on two cores.`,
  `Then ${tests.length - long.length} files of tests. About ${MINUTES.tests} min.`,
  `npm run test:long has the other ${long.length}: faults, clusters, releases, years, most journeys. About ${MINUTES.long} min.`,
]
process.stdout.write(`${lines.join('\n')}\n`)
