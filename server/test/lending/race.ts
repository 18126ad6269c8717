import { expect } from 'vitest'
import { type Scenario, startLending } from './lending-scenario.ts'
import { refused } from '@candela/testing/server/refused'

/** Many calls at the same time, each on a connection of its own as far as there are so many. */

/** Each test file has a Postgres with at most a hundred connections, and another file runs beside it. */
const CONNECTIONS = 40

export type Outcome = number | 'accepted'
type Party = () => Promise<unknown>
export type Race = {
  options?: Parameters<typeof startLending>[0]
  /** Brings about the state that all parties start from. */
  prepare: (lending: Scenario) => Promise<Record<string, Party>>
}

/** Shows that each party could do it when nobody else acts, then hands out the state before the race. */
export async function startRace({ options, prepare }: Race) {
  const start = async (poolSize: number) => {
    const lending = await startLending({ poolSize, ...options })
    return { lending, parties: await prepare(lending) }
  }
  const { lending, parties } = await start(CONNECTIONS)
  for (const name of Object.keys(parties)) {
    const other = await start(2)
    await using alone = other.lending
    expect([name, await refused(other.parties[name]?.() ?? Promise.reject(new Error('no such party')))]).toEqual([
      name,
      'accepted',
    ])
    await alone.expectSound()
  }
  return { lending, parties }
}

/** Runs calls at the same time, the parties taking turns. @returns what became of each, by party */
export async function runAtOnce(parties: Record<string, Party>, count: number): Promise<Record<string, Outcome[]>> {
  const turns = Object.entries(parties)
  const calls = Array.from({ length: count }, async (_, nth): Promise<[string, Outcome]> => {
    const [name, party] = turns[nth % turns.length] ?? ['nobody', () => Promise.resolve()]
    return [name, await refused(party())]
  })
  const outcomes: Record<string, Outcome[]> = Object.fromEntries(turns.map(([name]) => [name, []]))
  for (const [name, outcome] of await Promise.all(calls)) outcomes[name]?.push(outcome)
  return outcomes
}

export const countOf = (outcomes: readonly Outcome[] | undefined, wanted: Outcome): number =>
  (outcomes ?? []).filter((outcome) => outcome === wanted).length
