import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { Language } from '@candela/protocol/language'
import type { Database } from '../../db/open.ts'
import { exactPiece } from './exact-file.ts'
import { readablePiece } from './readable-file.ts'

/**
 * A piece of the statement as a file's text; the pieces put together are the file.
 * @throws AppError 400 for a cursor that is not ours, and with a format for a period that is not final
 */
export const statementFile = (
  db: Database,
  memberId: bigint,
  { format, ...filter }: HandlerInput<'GET statement/csv'>,
  lang: Language,
): Promise<Data<'GET statement/csv'>> =>
  format === undefined ? readablePiece(db, memberId, filter, lang) : exactPiece(db, memberId, filter)
