/**
 * Turns a function over many items into one over a single item: what is asked for while a round is under way is put
 * together into the next one. The first goes at once. Each answer comes from a round that began after it was asked for.
 *
 * `run` answers per item, in order; when it rejects, so does every item of that round.
 * @param options.maxBatch of one round @param options.keyOf two items with the same key never go in one round; without
 * it any may go together
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: Options<Item>,
): (item: Item) => Promise<Result> {
  let queue: Waiting<Item, Result>[] = []
  let isRunning = false

  const runAll = async (): Promise<void> => {
    isRunning = true
    while (queue.length > 0) {
      const { round, later } = takeRound(queue, options)
      queue = later
      await runRound(run, round)
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (!isRunning) void runAll()
    })
}

type Options<Item> = { maxBatch: number; keyOf?: (item: Item) => string }
type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

function takeRound<Item, Result>(
  queue: readonly Waiting<Item, Result>[],
  { maxBatch, keyOf }: Options<Item>,
): { round: Waiting<Item, Result>[]; later: Waiting<Item, Result>[] } {
  const keys = new Set<string>()
  const [round, later]: [Waiting<Item, Result>[], Waiting<Item, Result>[]] = [[], []]
  for (const waiting of queue) {
    const key = keyOf?.(waiting.item)
    if (round.length >= maxBatch || (key !== undefined && keys.has(key))) later.push(waiting)
    else round.push(waiting)
    if (key !== undefined) keys.add(key)
  }
  return { round, later }
}

/** Never rejects: each caller gets its own result. */
async function runRound<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  round: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(round.map(({ item }) => item))
    for (const [place, { resolve }] of round.entries()) resolve(results[place] as Result)
  } catch (error) {
    for (const { reject } of round) reject(error)
  }
}
