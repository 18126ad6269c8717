/**
 * This file adds what the oldest browsers of the one-file way out (`web/browsers.ts`) lack beside what those of the app do. It is the
 * first that the page runs.
 */
import { addMissing } from './add-missing.ts'
// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import './missing.ts'

type Outcome = { status: 'fulfilled'; value: unknown } | { status: 'rejected'; reason: unknown }

const settled = (value: unknown): Promise<Outcome> =>
  Promise.resolve(value).then(
    (result) => ({ status: 'fulfilled', value: result }),
    (reason: unknown) => ({ status: 'rejected', reason }),
  )

addMissing([
  { to: self, name: 'globalThis', value: self },
  { to: self, name: 'queueMicrotask', value: (run: () => void) => void Promise.resolve().then(run) },
  {
    to: Array.prototype,
    name: 'flatMap',
    value: function flatMap<T, Made>(this: T[], make: (item: T, index: number, all: T[]) => Made | Made[]): Made[] {
      const none: Made[] = []
      return none.concat(...this.map((item, index, all) => make(item, index, all)))
    },
  },
  {
    to: String.prototype,
    name: 'replaceAll',
    value: function replaceAll(this: string, what: string | RegExp, by: string): string {
      return what instanceof RegExp ? this.replace(what, by) : this.split(what).join(by)
    },
  },
  {
    to: Object,
    name: 'fromEntries',
    value: (entries: Iterable<[PropertyKey, unknown]>) => {
      const made: Record<PropertyKey, unknown> = {}
      for (const [name, value] of entries) made[name] = value
      return made
    },
  },
  { to: Promise, name: 'allSettled', value: (all: Iterable<unknown>) => Promise.all(Array.from(all, settled)) },
])
