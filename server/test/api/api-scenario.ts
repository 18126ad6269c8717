import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { endpointRoute } from '@candela/protocol/endpoint'
import { type Endpoints, endpoints, type Key } from '@candela/protocol/endpoints'
import { startTestChain } from '@candela/testing/chain/test-chain'
import { readConfig } from '@candela/server/main/config'
import type { Database } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { keptLog } from '@candela/testing/server/kept-log'
import { errorCodesOf } from '@candela/server/api/openapi'
import { addMember, addPlan } from '@candela/server/modules/power/testing'
import { hashToken } from '@candela/server/modules/session/log-in/log-in'
import { addSession } from '@candela/server/modules/session/testing'
import { startServer } from '@candela/server/main/start-server'
import { sql } from 'kysely'
import { environmentOf } from '@candela/testing/server/server-process'

export const keys = Object.keys(endpoints) as Key[]

/** Fields as they are typed into a form: a list is a field that is sent several times. */
export type Form = Readonly<Record<string, string | readonly string[]>>
type Answer = { status: number; text: string }

export type ApiScenario = Awaited<ReturnType<typeof startApiScenario>>

/** The whole server, listening, over a real database and a real chain, with one member of this address who is signed in. */
export async function startApiScenario(address = `0x${'a1'.repeat(20)}`) {
  const chain = await startTestChain()
  const database = await createTestDatabase()
  const env = await environmentOf(chain, database)
  await chain.mine(3)
  const { log, lines: errors } = keptLog('error')
  // The postings of tests here are on no chain: the third comparison of books and chain would say so, on a slow machine only.
  const settings = { EXIT_WITH_PARENT: 'off', RATE_LIMIT_SCALE: '1000000', RECONCILE_INTERVAL_S: '300' }
  const config = readConfig({ ...env, ...settings })
  const server = await startServer(config, { clock: systemClock, ids: systemIds(systemClock), log })
  const memberId = await addMember(database.db, address)
  await addPlan(database.db)

  const signIn = () => addSession(database.db, memberId, new Date())
  let token = await signIn()
  let mayHaveEnded = false

  async function send(key: Key, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const { method, path } = endpointRoute(key)
    const response = await fetch(`${server.url}${path}${method === 'GET' && body !== '' ? `?${body}` : ''}`, {
      method,
      headers: { lang: 'EN', ...headers },
      ...(method === 'POST' && { body: new URLSearchParams(body) }),
    })
    return { status: response.status, text: await response.text() }
  }

  return {
    db: database.db,
    url: server.url,
    gateway: chain.gateway,
    memberId,
    errors,
    /** Calls as the signed-in member does; signs in anew where a call has ended the session. */
    async call(key: Key, form: Form): Promise<Answer> {
      if (endpoints[key].auth === 'session' && mayHaveEnded) {
        const live = await database.db
          .selectFrom('session')
          .select('id')
          .where('token_hash', '=', hashToken(token))
          .where('ended_at', 'is', null)
          .executeTakeFirst()
        if (live === undefined) token = await signIn()
      }
      // Nothing else ends a session.
      mayHaveEnded = key.startsWith('POST auth/')
      return send(key, toQuery(form), { authorization: token })
    },
    send,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await untilOthersLeft(database.db)
      await database.drop()
      await chain.stop()
    },
  }
}

/** The queue's own connections close a moment after it has stopped; one that is cut off would be an error of nobody's. */
export async function untilOthersLeft(db: Database): Promise<void> {
  const others = () =>
    sql`
    select from pg_stat_activity where datname = current_database() and application_name <> 'candela'`.execute(db)
  while ((await others()).rows.length > 0) await sleep(20)
}

function toQuery(form: Form): string {
  const pairs = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one]),
  )
  return new URLSearchParams(pairs).toString()
}

/**
 * Finds the fault of an answer to an endpoint; null when it is as the table says: HTTP 200, the three members, a code of its own, data
 * of its shape or none. Code 500 is always wrong; 431 is what a query longer than a head gets.
 */
export function wrongWith(key: Key, { status, text }: Answer): string | null {
  const about = `${key}: HTTP ${status}, ${text.slice(0, 300)}`
  const body = JSON.parse(text) as { code: number; message: unknown; data: unknown }
  // A query that is too long for the head of a request never becomes one.
  if (status === 431) return body.code === 413 && body.data === null ? null : about
  if (status !== 200) return about
  if (Object.keys(body).toSorted().join() !== 'code,data,message') return about
  if (typeof body.message !== 'string' || body.message === '') return about
  const row: Endpoints[Key] = endpoints[key]
  if (body.code === 200) {
    // Parsing leaves out what the table does not name: whatever is more than that, somebody is told for nothing.
    const parsed = row.data.safeParse(body.data)
    return parsed.success && isDeepStrictEqual(parsed.data, body.data) ? null : about
  }
  if (body.code === 500 || body.data !== null) return about
  return errorCodesOf(key).includes(body.code) ? null : about
}

export const codeOf = ({ text }: Answer): number => (JSON.parse(text) as { code: number }).code
