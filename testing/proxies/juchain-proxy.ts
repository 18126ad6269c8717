import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { juchainRules, type RpcCall } from '../chain/juchain.ts'

type Call = RpcCall & { id: unknown }

/** A proxy that makes a node answer as one of JuChain. `blocked`: addresses of its list, lower case; a test may change it. */
export async function startJuchainProxy(nodeUrl: string) {
  const blocked = new Set<string>()
  const refusalOf = juchainRules(() => blocked)
  const answerTo = async (call: Call): Promise<object> => {
    const error = await refusalOf(call)
    if (error !== null) return { jsonrpc: '2.0', id: call.id, error }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
    return (await (await fetch(nodeUrl, init)).json()) as object
  }
  const answer = async (asked: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
    return JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(answerTo)) : await answerTo(body))
  }
  const server = createServer((asked, answered) => {
    answer(asked).then(
      (body) => answered.writeHead(200, { 'content-type': 'application/json' }).end(body),
      () => asked.socket.destroy(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    blocked,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
