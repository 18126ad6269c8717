import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { admit, MOST_AT_ONCE, RETRY_AFTER_S } from './admission.ts'

test('what is too much is refused at once, in the language of who asks, and taken again when there is room', async () => {
  const held: ServerResponse[] = []
  const full = Promise.withResolvers<void>()
  const server = createServer(
    admit(
      (request, response) => {
        if (request.url === '/slow') held.push(response)
        else response.end('done')
        if (held.length === MOST_AT_ONCE) full.resolve()
      },
      (request) => JSON.stringify({ busy: request.headers['lang'] }),
    ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const slow = Promise.allSettled(
      Array.from({ length: MOST_AT_ONCE }, async () => (await fetch(`${url}/slow`)).text()),
    )
    await full.promise

    const refused = await fetch(`${url}/quick`, { method: 'POST', body: 'x'.repeat(50_000), headers: { lang: 'EN' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, String(RETRY_AFTER_S)])
    expect(await refused.json()).toEqual({ busy: 'EN' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)

    held.pop()?.end('done')
    await expect.poll(async () => (await fetch(`${url}/quick`)).status).toBe(200)
    // Whoever hangs up makes room, too.
    for (const response of held.splice(0, 5)) response.destroy()
    await expect.poll(async () => (await fetch(`${url}/quick`)).status).toBe(200)
    for (const response of held) response.end('done')
    const ends = await slow
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST_AT_ONCE - 5)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
