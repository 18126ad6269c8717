/**
 * Serves what `node:http` does by itself, for `tests/bench/api.ts` to compare with. `/nothing` answers the same bytes each time;
 * `/sessions` reads what the service's own route reads, by the same two questions, and checks nothing. `/login` recovers who signed, by
 * the same native code; only for who it should be it opens a session, by the same statement.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { recoverSigner } from '@candela/server/chain/signature/recover-signer'
import { Pool } from 'pg'
import { hashMessage, type Hex } from 'viem'

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 12 })
const nothing = JSON.stringify({ code: 200, message: 'OK', data: { items: [], text: 'x'.repeat(160) } })

function end(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

async function sessions(token: string): Promise<string> {
  const hash = createHash('sha256').update(token).digest()
  const found = await pool.query<{ id: string; member_id: string }>({
    name: 'session',
    text: 'select id, member_id, seen_at from session where token_hash = $1 and ended_at is null and expires_at > now()',
    values: [hash],
  })
  const { rows } = await pool.query<{ id: string; user_agent: string; created_at: Date; seen_at: Date }>({
    name: 'sessions',
    text: `select id, user_agent, created_at, seen_at from session
      where member_id = $1 and ended_at is null and expires_at > now() order by created_at desc, id desc`,
    values: [found.rows[0]?.member_id],
  })
  const items = rows.map(({ id, user_agent, created_at, seen_at }) => ({
    id,
    current: id === found.rows[0]?.id,
    userAgent: user_agent,
    signedInAt: created_at.toISOString(),
    seenAt: seen_at.toISOString(),
  }))
  return JSON.stringify({ code: 200, message: 'OK', data: { items } })
}

async function logIn(request: IncomingMessage): Promise<string> {
  const form = new URLSearchParams(await text(request))
  const [address, message, signature] = ['address', 'message', 'signature'].map((name) => form.get(name) ?? '')
  if (recoverSigner(hashMessage(message ?? ''), signature as Hex) !== address) return JSON.stringify({ code: 4001 })
  const token = randomBytes(32).toString('base64url')
  const now = new Date()
  const later = new Date(now.getTime() + 86_400_000)
  await pool.query({
    name: 'login',
    text: 'select log_in($1, $2, $3, true, 10, $4, $5, $6, $7, $8) as outcome',
    values: [
      address,
      randomUUID(),
      later,
      createHash('sha256').update(token).digest(),
      randomUUID(),
      now,
      later,
      request.headers['user-agent'] ?? '',
    ],
  })
  return JSON.stringify({ code: 200, message: 'OK', data: { token } })
}

const server = createServer((request, response) => {
  if (request.url === '/nothing') return end(response, nothing)
  const answer = request.url === '/login' ? logIn(request) : sessions(request.headers.authorization ?? '')
  answer.then(
    (body) => end(response, body),
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
// The process that started it holds the other end.
process.stdin.once('close', () => process.exit(0)).resume()
