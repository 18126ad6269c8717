import { type App, oncePerApp } from '../../session/app-context.tsx'

const underWay = oncePerApp(() => new Map<string, Promise<unknown>>())

/** Two taps in one moment are one: the second one ends at once with `otherwise`, before any button could show that it is busy. */
export async function onlyOne<T, U>(app: App, name: string, otherwise: U, work: () => Promise<T>): Promise<T | U> {
  const names = underWay(app)
  if (names.has(name)) return otherwise
  const working = work()
  names.set(name, working)
  try {
    return await working
  } finally {
    names.delete(name)
  }
}

/**
 * For what a tap starts while the earlier work of that name may still be ending, such as reading a list again: `onlyOne` would drop the
 * tap. Resolves when the earlier work has ended, in whichever way.
 */
export async function untilNone(app: App, name: string): Promise<void> {
  await underWay(app)
    .get(name)
    ?.catch(() => undefined)
}
