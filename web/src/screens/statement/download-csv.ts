import type { CallInput, Data } from '@candela/protocol/endpoints'

type Piece = Data<'GET statement/csv'>
type Input = CallInput<'GET statement/csv'>

/** All pieces of the file in their order. `ask` is the call of the API. @throws what `ask` does */
export async function collectCsv(ask: (input: Input) => Promise<Piece>, filter: Input): Promise<string[]> {
  const texts: string[] = []
  let cursor: string | null = null
  do {
    const piece: Piece = await ask(cursor === null ? filter : { ...filter, cursor })
    texts.push(piece.text)
    cursor = piece.nextCursor
  } while (cursor !== null)
  return texts
}

/** The number of lines that begin with a time, which headings and sums do not. No cell of a statement holds a line break. */
export const countLines = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split('\r\n').filter((line) => /^[0-9]/.test(line)).length, 0)
