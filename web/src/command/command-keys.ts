import type { CallInput, Key } from '@candela/protocol/endpoints'

/** Every command that carries a request id made by the client. `command/giveUp` is about one, and is none. */
export type CommandKey = Exclude<
  { [K in Key]: CallInput<K> extends { requestId: string } ? K : never }[Key],
  `${string} command/${string}`
>

export type CommandInput<K extends CommandKey> = Omit<CallInput<K>, 'requestId'>

/** The texts that a member asked for: they make one command the same as another. */
export type About = Readonly<Record<string, string>>

/** Fields of a command that come from a quote or from a signature, and move while somebody wants the same. */
const derived: Partial<Record<CommandKey, readonly string[]>> = {
  'POST power/getOrder': ['maxPayable'],
  'POST withdraw/apply': ['fee'],
  'POST lending/borrow': ['collateral'],
  'POST lever/open': ['minBought', 'acceptWarning'],
  'POST lever/close': ['minProceeds'],
}

/** Takes what a command's input asks for: all of it but for what is derived from a quote. */
export function aboutOf(key: CommandKey, input: object): About {
  const isOwed = key === 'POST lending/repay' && 'mode' in input && input.mode !== 'amount'
  const without = isOwed ? ['amount'] : (derived[key] ?? [])
  const entries = Object.entries(input).filter(([name, value]) => value !== undefined && !without.includes(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

export const sameAbout = (one: About, other: About): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value)
