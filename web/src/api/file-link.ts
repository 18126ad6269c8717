import type { CallInput } from '@candela/protocol/endpoints'
import { codes } from '@candela/protocol/codes/codes'
import { call } from './call.ts'
import { ApiError } from '@candela/client/errors'

/** In the query of a link: the token of a file. It stands behind "#", which browsers send to nobody. */
export const FILE = 'file'

/** A link by which any browser takes a file of the member once. @throws what `call` does */
export async function makeFileLink(wanted: CallInput<'POST file/link'>): Promise<string> {
  const { token } = await call('POST file/link', wanted)
  return `${window.location.origin}/#/index?${FILE}=${token}`
}

export type TakenFile = { name: string; mime: string; content: string }

const PAUSE_MS = 1_000

/** All pieces of the file. @throws ApiError `notFound` for a link that is used up or too old */
export async function takeFile(token: string): Promise<TakenFile> {
  const texts: string[] = []
  for (let next = token; ;) {
    const piece = await takePiece(next)
    texts.push(piece.text)
    if (piece.next === null) return { name: piece.name, mime: piece.mime, content: texts.join('') }
    next = piece.next
  }
}

/** A long file has more pieces than calls are allowed at once; one that was refused for that has used up nothing. */
async function takePiece(token: string) {
  for (;;)
    try {
      return await call('POST file/take', { token }, { handled: [codes.notFound, codes.slowDown] })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== codes.slowDown) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
}
