import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'

/** Thrown in place of every statement and request of a process that has crashed. */
export class ProcessCrashed extends Error {
  override readonly name = 'ProcessCrashed'
}

/** When a process crashes, counted in statements and in requests sent and answered. */
export class CrashPoint {
  private left = Number.POSITIVE_INFINITY
  /** True once the process has crashed. */
  isReached = false

  /** The process crashes after this many more steps. */
  crashAfter(steps: number): void {
    this.left = steps
  }

  /** True when a crash is scheduled or has happened. */
  get isScheduled(): boolean {
    return this.left !== Number.POSITIVE_INFINITY
  }

  private endsAfter = Number.POSITIVE_INFINITY
  private end = () => Promise.resolve()
  /** True once the connections were ended. */
  areConnectionsEnded = false

  /** Every connection to the database ends after this many more statements, as when Postgres is killed; the process goes on. */
  endConnectionsAfter(statements: number, end: () => Promise<void>): void {
    this.endsAfter = statements
    this.end = end
  }

  /** Connections are not ended any more. */
  keepConnections(): void {
    this.endsAfter = Number.POSITIVE_INFINITY
    this.areConnectionsEnded = false
  }

  /** Counts the answer to one statement. */
  async answered(): Promise<void> {
    this.endsAfter -= 1
    if (this.endsAfter > 0) return
    this.endsAfter = Number.POSITIVE_INFINITY
    this.areConnectionsEnded = true
    await this.end()
  }

  /** Counts one statement or request. @throws ProcessCrashed */
  step(): void {
    if (this.left <= 0) this.isReached = true
    this.left -= 1
    if (this.isReached) throw new ProcessCrashed('the process has crashed')
  }
}

/**
 * Lets a process crash between any two statements. Its open transaction is then rolled back, as Postgres does when a
 * connection is closed; what was committed stays. Or lets it lose its connections between two statements.
 */
export class CrashPlugin implements KyselyPlugin {
  private readonly crashPoint: CrashPoint

  constructor(crashPoint: CrashPoint) {
    this.crashPoint = crashPoint
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    this.crashPoint.step()
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    await this.crashPoint.answered()
    return result
  }
}
