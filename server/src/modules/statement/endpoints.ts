import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { csvStatement } from './csv-statement.ts'
import { readStatement } from './read-statement.ts'

export function statementHandlers({ db }: { db: Database }): Handlers<'GET statement/list' | 'GET statement/csv'> {
  return {
    'GET statement/list': ({ limit, ...filter }, { memberId }) => readStatement(db, memberId, filter, limit),
    'GET statement/csv': (filter, { memberId, lang }) => csvStatement(db, memberId, filter, lang),
  }
}
