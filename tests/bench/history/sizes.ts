/**
 * Measures what every call costs because there are many members: its median at each size, in turns, and the ratio to that at the first.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '@candela/server/kernel/assert'
import { median, percentile, print } from '../support/figures.ts'
import { type Callers, startCallers, type Take } from './calls.ts'
import { type Size, startSize } from './size.ts'

const MAX_RATIO = 2
/** Below this difference in milliseconds a ratio says nothing. */
const MIN_DIFFERENCE_MS = 1
/** The first calls of a process and a plan are no matter of sizes: a plan for any values is made at the sixth call. */
const WARM_ROUNDS = 6

/** @returns how many calls cost more than twice as much as at the first size */
export async function compareSizes(members: readonly number[], rounds: number, kept?: string): Promise<number> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'candela-bench-')))
  const sizes: Size[] = []
  try {
    for (const count of members) sizes.push(await startSize(folder, { members: count, borrowers: count / 10 }))
    return await measure(sizes, rounds)
  } finally {
    for (const size of sizes) await size.stop()
    if (kept === undefined) await rm(folder, { recursive: true, force: true })
  }
}

type Times = Map<string, number[]>

async function measure(sizes: readonly Size[], rounds: number): Promise<number> {
  const callers: { callers: Callers; times: Times }[] = []
  for (const size of sizes) callers.push({ callers: await startCallers(size, rounds + WARM_ROUNDS), times: new Map() })
  for (let round = 0; round < rounds + WARM_ROUNDS; round++) {
    // Each in its turn, call by call: so what else the machine does falls on all of them.
    const turns = inTurns()
    const ordered = round % 2 === 0 ? callers : callers.toReversed()
    await Promise.all(
      ordered.map((one) => callAll(one.callers, turns, round, round < WARM_ROUNDS ? new Map() : one.times)),
    )
  }
  const [first, ...others] = callers.map(({ times }) => times)
  let slower = 0
  for (const [nth, times] of others.entries()) {
    print(`${sizes[nth + 1]?.members} members against ${sizes[0]?.members}:`)
    for (const [name, took] of times) if (!compare(name, must(first?.get(name), name), took)) slower += 1
  }
  return slower
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** One at a time, in the order in which they come. */
function inTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    last = own.catch(() => undefined)
    return own
  }
}

async function callAll({ reads, commands, people }: Callers, turns: Turns, round: number, times: Times): Promise<void> {
  const timed = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const answer = await call()
    times.set(name, [...(times.get(name) ?? []), performance.now() - start])
    return answer
  }
  const take: Take = (name, call) => turns(() => timed(name, call))
  await reads(take)
  await commands(take, must(people[round], 'a person for each round'))
}

function compare(name: string, few: readonly number[], many: readonly number[]): boolean {
  const [low, high] = [median(few), median(many)]
  const good = high <= MAX_RATIO * low || high - low < MIN_DIFFERENCE_MS
  print(
    `${good ? ' ' : '!'} ${high.toFixed(1).padStart(7)} ms (p90 ${percentile(many, 0.9).toFixed(1)}) against ` +
      `${low.toFixed(1)} ms (p90 ${percentile(few, 0.9).toFixed(1)}), ratio ${(high / low).toFixed(2)}: ${name}`,
  )
  return good
}
