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

  /** Counts one statement or request. @throws ProcessCrashed */
  step(): void {
    if (this.left <= 0) this.isReached = true
    this.left -= 1
    if (this.isReached) throw new ProcessCrashed('the process has crashed')
  }
}

/**
 * Lets a process crash between any two statements. Its open transaction is then rolled back, as Postgres does when a
 * connection is closed; what was committed stays.
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

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result)
  }
}
