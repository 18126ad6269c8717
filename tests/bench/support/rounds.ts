/** Measuring several things in turns, so that a machine whose speed changes does it to all of them. */
import { spread } from './figures.ts'

/** Node compiles hot code during the first rounds. */
export const WARM_UP_ROUNDS = 3

/** A figure of each kind. */
type Round<Kind extends string> = Record<Kind, number>

/**
 * Measures each kind once a round. Who goes first changes, so that nobody always finds the disk busy with the other's pages.
 * The first round warms caches and plans and is not among the answers.
 * @param after called at the end of each round, the first one has number 0
 */
export async function interleaved<Kind extends string>(
  kinds: Readonly<Record<Kind, () => Promise<number>>>,
  rounds: number,
  after: (round: number, figures: Round<Kind>) => Promise<void> | void = () => undefined,
): Promise<Round<Kind>[]> {
  const names = Object.keys(kinds) as Kind[]
  const all: Round<Kind>[] = []
  for (let round = 0; round <= rounds; round++) {
    const figures = Object.fromEntries(names.map((name) => [name, Number.NaN])) as Round<Kind>
    for (let nth = 0; nth < names.length; nth++) {
      const name = names[(nth + round) % names.length] as Kind
      figures[name] = await kinds[name]()
    }
    await after(round, figures)
    if (round > 0) all.push(figures)
  }
  return all
}

/** One kind over another, by rounds. */
export const ratio = <Kind extends string>(
  rounds: readonly Round<Kind>[],
  one: Kind,
  other: Kind,
  digits = 2,
): string =>
  spread(
    rounds.map((figures) => figures[one] / figures[other]),
    digits,
  )
