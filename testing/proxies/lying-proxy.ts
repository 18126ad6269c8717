import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Lie, tell } from './lies.ts'

type Call = { id: number; method: string }
type Answer = { id: unknown; result?: unknown; error?: unknown }

/** Which lie is told about one request, and about which of its calls; null for the truth. */
export type LieAbout = (calls: readonly Call[]) => { lie: Lie; nth: number } | null

/** A proxy in front of a node that passes each request on as it is, and tells lies about the answers. */
export async function startLyingProxy(nodeUrl: string, lieAbout: LieAbout) {
  const server = createServer((asked, answered) => {
    answer(asked).then(
      (body) => answered.writeHead(200, { 'content-type': 'application/json' }).end(body),
      () => asked.socket.destroy(),
    )
  })
  const answer = async (asked: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const real = (await (await fetch(nodeUrl, init)).json()) as Answer | Answer[]
    const calls = [JSON.parse(body) as Call | Call[]].flat()
    const told = lieAbout(calls)
    if (told === null) return JSON.stringify(real)
    const answers = tell(told.lie, [real].flat(), told.nth)
    if (Array.isArray(real)) return JSON.stringify(answers)
    return answers.length === 1 ? JSON.stringify(answers[0]) : ''
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
