import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'

/** The process is gone: nothing that it was about to do happens. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** How long a process lives, counted in statements and requests. */
export class Life {
  private left = Number.POSITIVE_INFINITY
  isOver = false

  /** Dies when it has come so many statements and requests further. */
  endIn(steps: number): void {
    this.left = steps
  }

  /** True once its end is near, whenever that is. */
  get isDoomed(): boolean {
    return this.left !== Number.POSITIVE_INFINITY
  }

  /** @throws Killed */
  step(): void {
    if (this.left <= 0) this.isOver = true
    this.left -= 1
    if (this.isOver) throw new Killed('the process was killed')
  }
}

/**
 * Lets a process die between any two statements. Its open transaction is then rolled back, as Postgres does with a
 * connection that is gone; what it has committed stays.
 */
export class KillingPlugin implements KyselyPlugin {
  private readonly life: Life

  constructor(life: Life) {
    this.life = life
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    this.life.step()
    return node
  }

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result)
  }
}
