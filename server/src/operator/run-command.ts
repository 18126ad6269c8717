import { OperatorError } from '../kernel/errors.ts'
import { Command, CommanderError } from 'commander'
import { type Database, sqlState } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import { audited } from './audited.ts'
import { addCommands } from './commands.ts'
import type { OperatorChain } from './find-chain.ts'
import { asJson, asText } from './print.ts'
import type { Run } from './run.ts'

export type CommandDeps = {
  clock: Clock
  /** Name from the environment; `--operator` comes first. */
  operator: string | undefined
  openDatabase: () => Promise<Database>
  /** Absent where no command acts on chain. */
  openChain?: () => Promise<OperatorChain>
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
    .description('The operator’s command line. Every command is written down with the name of who gave it.')
    .option('--operator <name>', 'who you are; or set CANDELA_OPERATOR')
    .option('--json', 'print JSON instead of text')
    // Subcommands copy these when they are made, so they come first.
    .exitOverride()
    .configureOutput({ writeOut: deps.write, writeErr: deps.writeError })
  addCommands(program, runner(program, deps), {
    openChain: noChain,
    depth: () => Promise.resolve(30),
    seenWithin_ms: 60_000,
    ...deps,
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

const noChain = (): Promise<OperatorChain> => Promise.reject(new OperatorError('no chain is configured'))

function runner(program: Command, deps: CommandDeps): Run {
  return async (command, input, work) => {
    const options = program.opts<{ operator?: string; json?: boolean }>()
    const operator = operatorName(options.operator ?? deps.operator)
    const now = deps.clock.now()
    const db = await deps.openDatabase()
    try {
      const output = await audited(db, { operator, command, input }, now, (tx) => work(tx, now, operator))
      deps.write(options.json === true ? asJson(output) : asText(output))
    } catch (error) {
      throw explained(error)
    } finally {
      await db.destroy()
    }
  }
}

function operatorName(name: string | undefined): string {
  if (name === undefined || name === '')
    throw new OperatorError('say who you are: --operator <name>, or CANDELA_OPERATOR')
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name)) return name
  throw new OperatorError(`"${name}" is not a name: up to 64 letters, digits, blanks, dots and dashes`)
}

/** What the operator can mend gets one line that says so. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT'
  if (refused) return new OperatorError('the database does not answer', { cause: error })
  if (sqlState(error) !== '42P01') return error
  return new OperatorError('this database has no tables yet: start the service once', { cause: error })
}
