import { OperatorError } from '../kernel/errors.ts'
import { Command, CommanderError } from 'commander'
import { type Database, sqlState, type Tx } from '../db/open.ts'
import { must } from '../kernel/assert.ts'
import { addCommands } from './commands/commands.ts'
import type { CheckedNode } from './commands/chain-commands.ts'
import type { OperatorChain } from './find-chain.ts'
import { asJson, asText, type Output } from './print.ts'
import type { Bound, Input, Run } from './run.ts'
import { type CommandName, definitionOf } from './table/command-table.ts'
import { type Operation, execute, executeRead, executeTrial, NumberTaken } from './signing/execute.ts'
import { loadOperatorKey, type OperatorKey } from './signing/operator-key.ts'
import { findByKey, readService } from './signing/operators.ts'
import { textOf } from './signing/signed-terms.ts'

/** As often as a command is signed again because others of the same operator came first. */
const SIGNING_ATTEMPTS = 50

export type CommandDeps = {
  /** The time that counts: the database's. */
  readTime: (db: Database) => Promise<Date>
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

type GlobalOptions = { keyFile?: string; json?: boolean; dryRun?: boolean }

/**
 * Runs one command line. Returns the exit code: 0 when it was done or help was asked for, 1 when commander refused it.
 * @throws OperatorError for what cannot be done
 */
export async function runCommand(args: readonly string[], deps: CommandDeps): Promise<number> {
  const program = new Command('candela')
    .description('The operator’s command line. Every command is written down; one that changes something is signed.')
    .option('--key-file <path>', 'your own private key, which signs; or set CANDELA_KEY_FILE')
    .option('--json', 'print JSON instead of text')
    .option('--dry-run', 'try it, say what it would do and how many operators it needs, and take it back')
    // Subcommands copy these when they are made, so they come first.
    .exitOverride()
    .configureOutput({ writeOut: deps.write, writeErr: deps.writeError })
  const print = (output: Output) =>
    deps.write(program.opts<GlobalOptions>().json === true ? asJson(output) : asText(output))
  const run = runner(() => program.opts<GlobalOptions>(), deps, print)
  const all = {
    openChain: noChain,
    checkNodes: noChain,
    depth: () => Promise.resolve(30),
    seenWithin_ms: 60_000,
    ...deps,
  }
  addCommands(program, run, { ...all, print })
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

function runner(options: () => GlobalOptions, deps: CommandDeps, print: (output: Output) => void): Run {
  return async (name, input, bound, proposal) => {
    const { keyFile, dryRun } = options()
    const operation = await operationOf(name, input, bound)
    if (proposal !== undefined) operation.proposal = proposal
    if (dryRun === true && !definitionOf(name).dryRun) {
      throw new OperatorError(`"${name}" acts outside of the database: it cannot be tried`)
    }
    // Before the database is opened, so that a missing key is the first thing to be said.
    const isRead = operation.signers === 0 || dryRun === true
    const key = isRead ? undefined : await (keyFile === undefined ? deps.openKey() : loadOperatorKey(keyFile))
    try {
      const { output, now } = await executeOnce(deps, key, operation)
      print(bound.afterwards === undefined ? output : await bound.afterwards(input, now))
    } catch (error) {
      throw explained(error)
    }
  }
}

/** Builds what is signed and done, from the table of commands and a command's work. */
async function operationOf(name: CommandName, input: Input, bound: Bound): Promise<Operation> {
  const { signers: stated } = definitionOf(name)
  const { signers, alone, isFirst } = bound
  if (stated === 'local') throw new Error(`"${name}" is not written down`)
  if (stated === 'decided' && signers === undefined) throw new Error(`nothing decides who signs "${name}"`)
  const isNewHere = (await isFirst?.()) === true
  const by = (tx: Tx): Promise<1 | 2> => (isNewHere ? Promise.resolve(1) : must(signers, 'it is decided')(tx, input))
  return {
    command: name,
    input,
    signers: stated === 'decided' ? by : stated,
    work: (tx, now, operators) =>
      // The first operator is registered by the signing itself.
      isNewHere ? Promise.resolve(input) : bound.work(tx, input, { now, operators }),
    ...(alone === undefined ? {} : { alone }),
    ...(isNewHere ? { first: input as { name: string; key: string } } : {}),
  }
}

type Executed = { output: Output; now: Date }

async function executeOnce(deps: CommandDeps, key: OperatorKey | undefined, operation: Operation): Promise<Executed> {
  const db = await deps.openDatabase()
  try {
    if (key !== undefined) return await signAndExecute(db, key, operation, deps.readTime)
    const now = await deps.readTime(db)
    const read = operation.signers === 0 ? executeRead : executeTrial
    return { output: await read(db, operation, now), now }
  } finally {
    await db.destroy()
  }
}

async function signAndExecute(
  db: Database,
  key: OperatorKey,
  operation: Operation,
  readTime: CommandDeps['readTime'],
): Promise<Executed> {
  for (let attempt = 1; ; attempt++) {
    const operator = await nextCommandOf(db, key, operation)
    const now = await readTime(db)
    const { command, input } = operation
    const terms = { ...operator, service: await readService(db), command, input, at: now }
    try {
      return { output: await execute(db, { terms, signature: await key.sign(textOf(terms)) }, operation, now), now }
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

/** An error that the operator can mend gets one line that says so. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT'
  if (refused) return new OperatorError('the database does not answer', { cause: error })
  if (sqlState(error) !== '42P01') return error
  return new OperatorError('this database has no tables yet: start the service once', { cause: error })
}
