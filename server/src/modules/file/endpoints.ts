import { utcDay } from '@candela/protocol/calendar'
import { endpoints, type HandlerInput } from '@candela/protocol/endpoints'
import { proofFileName } from '@candela/protocol/proof/proof-file'
import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { statementFile } from '../statement/statement-file.ts'
import { readSavedProof } from '../proof/endpoints.ts'
import { goOnWith, makeLink, takeLink } from './file-links.ts'

type Filter = HandlerInput<'GET statement/csv'>
type Fields = Filter & { day?: string | undefined }

/** Files of a member for browsers that are not signed in, because the one that is saves none. */
export const fileHandlers = ({
  db,
  ids,
}: {
  db: Database
  ids: IdSource
}): Handlers<'POST file/link' | 'POST file/take'> => ({
  async 'POST file/link'({ file, ...filter }, { memberId, lang, now }) {
    const { token, expiresAt } = await makeLink({ db, ids, now }, { memberId, file, query: formOf(filter), lang })
    return { token, expiresAt: expiresAt.toISOString() }
  },

  async 'POST file/take'({ token }, { now }) {
    const wanted = await takeLink({ db, now }, token)
    const fields = Object.fromEntries(new URLSearchParams(wanted.query))
    if (wanted.file === 'proof') {
      const proof = await readSavedProof(db, wanted.memberId, fields['day'])
      const text = JSON.stringify(proof, null, 2)
      return { name: proofFileName(proof), mime: 'application/json', text, next: null }
    }
    const filter = endpoints['GET statement/csv'].input.parse(fields)
    const { text, nextCursor } = await statementFile(db, wanted.memberId, filter, wanted.lang)
    const query = formOf({ ...filter, cursor: nextCursor ?? undefined })
    const next = nextCursor === null ? null : await goOnWith({ db, ids, now }, { ...wanted, query })
    return { name: `candela-statement-${utcDay(now)}.csv`, mime: 'text/csv;charset=utf-8', text, next }
  },
})

/** As the fields that their schemas parse. */
function formOf(all: Fields): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.set(name, textOf(value))
  return form.toString()
}

const textOf = (value: Exclude<Fields[keyof Fields], undefined>): string =>
  value instanceof Date ? value.toISOString() : String(value)
