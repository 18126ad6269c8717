import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The treatment of one JSON-RPC call by the proxy. */
export type Fault = 'pass' | 'http500' | 'hangUp' | 'refuse' | 'garbage' | 'noLogs'

type Call = { id: number; method: string }

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (body: Call | Call[]) => Promise<string>,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = await answer(JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[])
  if (body === 'hangUp') request.socket.destroy()
  else if (body === 'http500') response.writeHead(500).end('{}')
  else response.writeHead(200, { 'content-type': 'application/json' }).end(body)
}

/**
 * A proxy in front of a node that does to each call what `decide` says. The calls of a batch are decided one by one;
 * 'http500', 'hangUp' and 'garbage' apply to the whole request.
 */
export async function startFaultyProxy(nodeUrl: string | (() => string), decide: (method: string) => Fault) {
  const server = createServer((request, response) => {
    respond(request, response, answer).catch(() => request.socket.destroy())
  })
  const answer = async (body: Call | Call[]): Promise<string> => {
    const calls = Array.isArray(body) ? body : [body]
    const faults = calls.map(({ method }) => decide(method))
    const whole = faults.find((fault) => fault === 'http500' || fault === 'hangUp' || fault === 'garbage')
    if (whole !== undefined) return whole === 'garbage' ? '<html>busy</html>' : whole
    const answers = await Promise.all(
      calls.map(async (call, index) => {
        const { id } = call
        if (faults[index] === 'refuse')
          return { jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } }
        if (faults[index] === 'noLogs' && call.method === 'eth_getLogs') return { jsonrpc: '2.0', id, result: [] }
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
        const answered = await fetch(typeof nodeUrl === 'string' ? nodeUrl : nodeUrl(), init)
        return (await answered.json()) as object
      }),
    )
    return JSON.stringify(Array.isArray(body) ? answers : answers[0])
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
