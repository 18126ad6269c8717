import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RpcCall } from './juchain.ts'

export type NumberedCall = RpcCall & { id: unknown }

/** Serves JSON-RPC, also in batches, on a free port of this machine. A call that throws ends its connection. */
export async function serveJsonRpc(answerTo: (call: NumberedCall) => Promise<object>) {
  const answer = async (asked: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as NumberedCall | NumberedCall[]
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
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
