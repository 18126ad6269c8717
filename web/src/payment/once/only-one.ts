import { type App, oncePerApp } from '../../session/app-context.tsx'

const underWay = oncePerApp(() => new Set<string>())

/** Two taps in one moment are one: the second one ends at once with `otherwise`, before any button could show that it is busy. */
export async function onlyOne<T, U>(app: App, name: string, otherwise: U, work: () => Promise<T>): Promise<T | U> {
  const names = underWay(app)
  if (names.has(name)) return otherwise
  names.add(name)
  try {
    return await work()
  } finally {
    names.delete(name)
  }
}
