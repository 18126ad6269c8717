export type Addition = { to: object; name: string; value: unknown }

/** A property that is there already is left as it is. */
export function addMissing(additions: readonly Addition[]): void {
  for (const { to, name, value } of additions)
    if (!(name in to)) Object.defineProperty(to, name, { value, configurable: true, writable: true, enumerable: false })
}
