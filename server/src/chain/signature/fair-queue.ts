type Options = {
  /** Pieces of work at the same time. */
  atOnce: number
  /** Pieces that wait. */
  maxWaiting: number
}

type Piece = { names: readonly string[]; answer: (leave: (() => void) | null) => void }

/**
 * Lets a few pieces of work run at the same time and takes turns among those who ask. Whoever asks has several names, such as its network
 * and its account: one piece of each name runs, and next comes the one whose names had their last turn longest ago. Where as many wait as may,
 * the last of whoever has most gives way to who has less.
 * @returns a function that resolves with what ends the piece, when it may run; with null when it is refused
 */
export function createFairQueue({ atOnce, maxWaiting }: Options) {
  const running: Piece[] = []
  const waiting: Piece[] = []
  /** The last turn of each name, as long as a piece of it runs or waits. */
  const turns = new Map<string, number>()
  let turn = 0
  const isBusy = ({ names }: Piece) => running.some((other) => names.some((name) => other.names.includes(name)))

  const lastTurn = ({ names }: Piece): number => Math.max(...names.map((name) => turns.get(name) ?? 0))

  /** How many pieces of the same name wait before each, in the order of `waiting`. */
  function ranks(): number[] {
    const before = new Map<string, number>()
    return waiting.map(({ names }) => {
      const rank = Math.max(...names.map((name) => before.get(name) ?? 0))
      for (const name of names) before.set(name, (before.get(name) ?? 0) + 1)
      return rank
    })
  }

  function startNext(): void {
    while (running.length < atOnce) {
      // Sorting keeps the order of arrival among equals.
      const [piece] = waiting.filter((one) => !isBusy(one)).toSorted((one, other) => lastTurn(one) - lastTurn(other))
      if (piece === undefined) return
      waiting.splice(waiting.indexOf(piece), 1)
      running.push(piece)
      turn += 1
      for (const name of piece.names) turns.set(name, turn)
      piece.answer(() => leave(piece))
    }
  }

  function leave(piece: Piece): void {
    const place = running.indexOf(piece)
    if (place < 0) return
    running.splice(place, 1)
    const known = new Set([...running, ...waiting].flatMap(({ names }) => names))
    for (const name of piece.names) if (!known.has(name)) turns.delete(name)
    startNext()
  }

  /** Refuses one piece when more wait than may. */
  function refuseOne(): void {
    const order = ranks()
    const [last] = waiting.splice(order.lastIndexOf(Math.max(...order)), 1)
    last?.answer(null)
  }

  return (names: readonly string[]): Promise<(() => void) | null> =>
    new Promise((answer) => {
      waiting.push({ names, answer })
      startNext()
      if (waiting.length > maxWaiting) refuseOne()
    })
}
