import { openDatabase } from '../db/open.ts'
import { OperatorError, reasonOf } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { runCommand } from './run-command.ts'
import { checkNode } from '../chain/node/check-node.ts'
import { nameOf } from '../chain/nodes/addresses.ts'
import { findChain, findDepth, findNodes } from './find-chain.ts'
import { findTime } from './find-time.ts'
import { findDatabaseUrl } from './find-database.ts'
import { findOperatorKey } from './find-operator-key.ts'

/** The operator's command line: `npm run candela -- --help`. Exits with 1 when nothing was done. */
const write = (text: string) => process.stdout.write(text)
try {
  process.exitCode = await runCommand(process.argv.slice(2), {
    readTime: findTime(process.env),
    openKey: () => findOperatorKey(process.env),
    openDatabase: async () => openDatabase({ url: await findDatabaseUrl(process.env), log: silentLog(), poolSize: 2 }),
    checkNodes: (other) =>
      Promise.all(
        findNodes(process.env, other).map(async ({ provider, ...node }) => ({
          node: nameOf(node.url),
          provider,
          checks: await checkNode(node),
        })),
      ),
    openChain: () => findChain(process.env),
    depth: () => findDepth(process.env),
    write,
    writeError: (text) => process.stderr.write(text),
  })
} catch (error) {
  // An error that the operator can mend is one line; anything else is ours and comes with its trace.
  const known = error instanceof OperatorError
  process.stderr.write(`candela: ${known || !(error instanceof Error) ? reasonOf(error) : (error.stack ?? '')}\n`)
  process.exitCode = 1
}
