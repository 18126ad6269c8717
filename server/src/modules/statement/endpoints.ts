import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { statementFile } from './statement-file.ts'
import { readPeriod } from './read-period.ts'
import { readStatement } from './read-statement.ts'

type Key = 'GET statement/list' | 'GET statement/csv' | 'GET statement/period'

export function statementHandlers({ db }: { db: Database }): Handlers<Key> {
  return {
    'GET statement/list': ({ limit, ...filter }, { memberId }) => readStatement(db, memberId, filter, limit),
    'GET statement/csv': (filter, { memberId, lang }) => statementFile(db, memberId, filter, lang),
    'GET statement/period': (period, { memberId }) => readPeriod(db, memberId, period),
  }
}
