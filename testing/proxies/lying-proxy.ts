import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Call = { id: number; method: string; params: readonly unknown[] }
type Sent = Omit<Call, 'params'> & { params?: readonly unknown[] }
export type Answer = { id: unknown; result?: unknown; error?: unknown }

/** Returns what is told instead of the answers to the calls of one request; null for the truth. */
export type LieAbout = (calls: readonly Call[]) => ((answers: readonly Answer[]) => Answer[]) | null

/** Other results than the node's own: `undefined` for the truth, `null` and other values as they are. */
export const otherResults =
  (result: (call: Call, answer: Answer) => unknown): LieAbout =>
  (calls) =>
  (answers) =>
    answers.map((answer) => {
      const call = calls.find(({ id }) => id === answer.id)
      const other = call === undefined ? undefined : result(call, answer)
      return other === undefined ? answer : { id: answer.id, result: other }
    })

/** A node that has no block above this one, which is given as nodes give it. */
export function standsAt(last: { number: string }): LieAbout {
  const isLater = (number: unknown) => typeof number === 'string' && BigInt(number) > BigInt(last.number)
  return otherResults(({ method, params }, { result }) => {
    if (method === 'eth_blockNumber') return last.number
    if (method !== 'eth_getBlockByNumber') return undefined
    if (params[0] === 'latest') return last
    return isLater((result as { number?: string } | null)?.number) ? null : undefined
  })
}

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
    const calls = [JSON.parse(body) as Sent | Sent[]]
      .flat()
      .map((call): Call => ({ ...call, params: call.params ?? [] }))
    const lie = lieAbout(calls)
    if (lie === null) return JSON.stringify(real)
    const answers = lie([real].flat())
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
