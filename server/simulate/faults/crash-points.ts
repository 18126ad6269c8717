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

  private heldAfter = Number.POSITIVE_INFINITY
  private until = () => Promise.resolve()
  private held: Promise<void> | null = null

  /** After this many more answers and requests the process stands still, in the middle of what it does, until `until` has ended. */
  holdAfter(steps: number, until: () => Promise<void>): void {
    this.heldAfter = steps
    this.until = until
  }

  /** It is not held any more. */
  keepGoing(): void {
    this.heldAfter = Number.POSITIVE_INFINITY
  }

  /** Counts one answer or request; what to wait for, null when the process is not held. */
  pass(): Promise<void> | null {
    if (this.held !== null) return this.held
    this.heldAfter -= 1
    if (this.heldAfter > 0) return null
    this.heldAfter = Number.POSITIVE_INFINITY
    this.held = this.until().finally(() => {
      this.held = null
    })
    return this.held
  }

  private isCutAfter = Number.POSITIVE_INFINITY
  /** True once the process has lost its database. */
  isCutOff = false

  /** Each statement after this many more fails, until the process is reconnected. */
  cutAfter(statements: number): void {
    this.isCutAfter = statements
  }

  reconnect(): void {
    this.isCutAfter = Number.POSITIVE_INFINITY
    this.isCutOff = false
  }

  /** Counts one statement under the lease. @throws when the process has lost its database */
  reachDatabase(): void {
    if (this.isCutAfter <= 0) this.isCutOff = true
    this.isCutAfter -= 1
    if (this.isCutOff) throw new Error('the connection to the database is lost')
  }

  /** Counts the answer to one statement. Only work under the lease is held: a member's call that stands still does nothing late. */
  async answered(isUnderLease: boolean): Promise<void> {
    const held = isUnderLease ? this.pass() : this.held
    if (held !== null) await held
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
  private readonly isUnderLease: boolean

  constructor(crashPoint: CrashPoint, isUnderLease = false) {
    this.crashPoint = crashPoint
    this.isUnderLease = isUnderLease
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    this.crashPoint.step()
    if (this.isUnderLease) this.crashPoint.reachDatabase()
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    await this.crashPoint.answered(this.isUnderLease)
    return result
  }
}
