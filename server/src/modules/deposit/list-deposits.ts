import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { cursorCodec } from '../../db/cursor.ts'
import type { Database } from '../../db/open.ts'
import { makePage, readPage } from '../../db/page.ts'
import { readDeposits } from './read-deposits.ts'

const endpoint = 'GET deposit/list'

/** Time, whether it was announced, and id: announcements and payments have ids of their own. */
const place = cursorCodec('time', 'flag', 'id')

/**
 * Announced deposits and money that came unannounced, newest first. @throws AppError 400 for a cursor that is not ours
 */
export async function listDeposits(
  db: Database,
  { depositNo, ...page }: HandlerInput<typeof endpoint>,
  memberId: bigint,
): Promise<Data<typeof endpoint>> {
  const { before, limit } = readPage(place, page)
  const behind = before && { at: before[0], announced: before[1], id: before[2] }
  const rows = await readDeposits(db, { memberId, depositNo, before: behind, limit: limit + 1 })
  return makePage(place, rows, limit, {
    place: ({ place: { at, announced, id } }) => [at, announced, id],
    toItem: ({ deposit }) => deposit,
  })
}
