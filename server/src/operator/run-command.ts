import { OperatorError } from '../kernel/errors.ts'
import { Command, CommanderError } from 'commander'
import { type Database, sqlState } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import { addCommands } from './commands/commands.ts'
import type { CheckedNode } from './commands/chain-commands.ts'
import type { OperatorChain } from './find-chain.ts'
import { asJson, asText, type Output } from './print.ts'
import type { Run } from './run.ts'
import { type Operation, execute, executeRead, NumberTaken } from './signing/execute.ts'
import { loadOperatorKey, type OperatorKey } from './signing/operator-key.ts'
import { findByKey, readService } from './signing/operators.ts'
import { textOf } from './signing/signed-terms.ts'

/** As often as a command is signed again because others of the same operator came first. */
const SIGNING_ATTEMPTS = 50

export type CommandDeps = {
  clock: Clock
  /** The operator's own key; `--key-file` comes first. Asked for by commands that change something. */
  openKey: () => Promise<OperatorKey>
  openDatabase: () => Promise<Database>
  /** Absent where no command acts on chain. */
  openChain?: () => Promise<OperatorChain>
  /** Absent where no command asks a node by itself. */
  checkNodes?: (url: string | undefined) => Promise<CheckedNode[]>
  /** Confirmations of the largest payments; 30 when absent. */
  depth?: () => Promise<number>
  /** How long a deposit of revenue waits to be seen by the service; a minute when absent. */
  seenWithin_ms?: number
  write: (text: string) => void
  writeError: (text: string) => void
}

/**
 * Runs one command line. Returns the exit code: 0 when it was done or help was asked for, 1 when commander refused it.
 * @throws OperatorError for what cannot be done
 */
export async function runCommand(args: readonly string[], deps: CommandDeps): Promise<number> {
  const program = new Command('candela')
    .description('The operator’s command line. Every command is written down; one that changes something is signed.')
    .option('--key-file <path>', 'your own private key, which signs; or set CANDELA_KEY_FILE')
    .option('--json', 'print JSON instead of text')
    // Subcommands copy these when they are made, so they come first.
    .exitOverride()
    .configureOutput({ writeOut: deps.write, writeErr: deps.writeError })
  addCommands(program, runner(program, deps), {
    openChain: noChain,
    checkNodes: noChain,
    depth: () => Promise.resolve(30),
    seenWithin_ms: 60_000,
    ...deps,
    print: (output) => deps.write(isJson(program) ? asJson(output) : asText(output)),
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    // commander has said already what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode
    throw error
  }
}

const noChain = (): Promise<never> => Promise.reject(new OperatorError('no chain is configured'))

const isJson = (program: Command): boolean => program.opts<{ json?: boolean }>().json === true

function runner(program: Command, deps: CommandDeps): Run {
  return async (rule, input, work, afterwards) => {
    const { keyFile } = program.opts<{ keyFile?: string }>()
    const operation = { ...rule, input, work }
    // Before the database is opened, so that a missing key is the first thing to be said.
    const key =
      rule.signers === 0 ? undefined : await (keyFile === undefined ? deps.openKey() : loadOperatorKey(keyFile))
    try {
      const done = await executeOnce(deps, key, operation)
      const output = afterwards === undefined ? done : await afterwards()
      deps.write(isJson(program) ? asJson(output) : asText(output))
    } catch (error) {
      throw explained(error)
    }
  }
}

async function executeOnce(deps: CommandDeps, key: OperatorKey | undefined, operation: Operation): Promise<Output> {
  const db = await deps.openDatabase()
  try {
    return await (key === undefined
      ? executeRead(db, operation, deps.clock.now())
      : signAndExecute(db, key, operation, deps.clock))
  } finally {
    await db.destroy()
  }
}

async function signAndExecute(db: Database, key: OperatorKey, operation: Operation, clock: Clock): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    const operator = await nextCommandOf(db, key, operation)
    const now = clock.now()
    const { command, input } = operation
    const terms = { ...operator, service: await readService(db), command, input, at: now }
    try {
      return await execute(db, { terms, signature: await key.sign(textOf(terms)) }, operation, now)
    } catch (error) {
      if (!(error instanceof NumberTaken) || attempt === SIGNING_ATTEMPTS) throw error
    }
  }
}

async function nextCommandOf(db: Database, key: OperatorKey, { first }: Operation) {
  const known = await findByKey(db, key.publicKey)
  if (known !== undefined) return { operator: known.name, number: known.signed + 1n }
  if (first === undefined) {
    throw new OperatorError(`no operator has the key ${key.publicKey}: "operator list" shows who has which`)
  }
  if (first.key === key.publicKey) return { operator: first.name, number: 1n }
  throw new OperatorError(`the first operator signs with the new key ${first.key}, not with ${key.publicKey}`)
}

/** What the operator can mend gets one line that says so. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT'
  if (refused) return new OperatorError('the database does not answer', { cause: error })
  if (sqlState(error) !== '42P01') return error
  return new OperatorError('this database has no tables yet: start the service once', { cause: error })
}
