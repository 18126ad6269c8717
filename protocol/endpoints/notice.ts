import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { flagField, pageFields, pageOf, timeData } from '../fields.ts'
import { type NoticeContent, noticeParams } from '../notices.ts'

const idField = z.string().regex(/^[1-9][0-9]{0,17}$/)

const noticeData = z
  .object({
    id: idField,
    at: timeData,
    read: z.boolean(),
    kind: z.string(),
    /** Depends on the kind; amounts are decimal texts. */
    params: z.record(z.string(), z.string().nullable()),
  })
  // A refinement, because a union of a dozen objects would make the API document hard to read.
  .refine(({ kind, params }) => {
    const shape = Object.entries(noticeParams).find(([name]) => name === kind)?.[1]
    return shape?.safeParse(params).success === true
  })
  .transform((notice) => notice as Omit<typeof notice, 'kind' | 'params'> & NoticeContent)

/** 100 stands for 100 or more. */
const unreadData = z.int().min(0).max(100)

export const noticeEndpoints = {
  'GET notice/list': endpoint({
    summary: 'What the caller was told, newest first, with the count of what is not read yet.',
    auth: 'session',
    input: z.object(pageFields),
    data: pageOf(noticeData).extend({ unread: unreadData }),
    errors: [],
  }),
  'POST notice/read': endpoint({
    summary: 'Marks one notice as read by its id, or with all=1 every one.',
    auth: 'session',
    input: z
      .object({ id: idField.optional(), all: flagField.optional() })
      .refine(({ id, all }) => (id !== undefined) !== (all === true), { path: ['id'] }),
    data: z.object({ unread: unreadData }),
    errors: ['notFound'],
  }),
}
