/** A small JSON-RPC client for the development chain's own anvil, which can forward a request unread; other code uses viem. */
import { Agent, request } from 'node:http'

/** An answer with an `error` in it: the node runs and has refused. */
export class RpcRefusal extends Error {
  readonly code: number
  /** The node's own words. */
  readonly reason: string
  constructor(method: string, code: number, reason: string) {
    super(`${method}: ${reason}`)
    this.code = code
    this.reason = reason
  }
}

/** Calls one node over kept connections. */
export interface RpcConnection {
  /**
   * @returns the `result`, as it came
   * @throws RpcRefusal when the node refuses, another error when it does not answer
   */
  call: (method: string, params?: readonly unknown[]) => Promise<unknown>
  /** Sends a body as it is and returns the answer as it is. */
  forward: (body: Buffer) => Promise<Buffer>
  close: () => void
}

/** Opens connections to a node on this machine as they are needed. */
export function connectRpc(port: number): RpcConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let nextId = 1
  const forward = (body: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/', agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('aborted', () => reject(new Error('The node hung up in mid-answer')))
        response.once('end', () => resolve(Buffer.concat(chunks)))
      })
      sent.once('error', reject)
      sent.end(body)
    })
  return {
    forward,
    close: () => agent.destroy(),
    call: async (method, params = []) => {
      const answer = await forward(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params })))
      const { result, error } = JSON.parse(answer.toString('utf8')) as {
        result?: unknown
        error?: { code: number; message: string }
      }
      if (error !== undefined) throw new RpcRefusal(method, error.code, error.message)
      return result
    },
  }
}
