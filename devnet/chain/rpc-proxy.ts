/**
 * The development chain's public RPC. Reads are forwarded to anvil; signed transactions go through the chain, which writes
 * them to its journal first; methods that would change the chain without the journal are refused, as real nodes refuse them.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'

/** The functions that answer the requests. Both wait while anvil is being restarted. */
export interface ProxyTargets {
  forward: (body: Buffer) => Promise<Buffer>
  /** Submits a signed transaction. @returns the whole JSON-RPC answer but its id */
  submit: (raw: string) => Promise<{ result: unknown } | { error: { code: number; message: string } }>
  /** Whether calls of this method are asked about one by one. */
  mayRefuse: (method: string) => boolean
  /** The refusal of a chain of these rules; null for a call that it answers. */
  refuse: (call: { method: string; params?: unknown }) => Promise<{ code: number; message: string } | null>
}

interface RpcRequest {
  id?: unknown
  method: string
  params?: unknown
}

const maxBodyBytes = 8 * 1024 * 1024
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
}

/** @returns why a method is refused, or undefined when it only reads */
function refusal(method: string): string | undefined {
  if (/^(?:anvil|evm|hardhat|tenderly|personal|miner|admin)_/.test(method)) {
    return `${method} is not available: this chain keeps its history, so nothing may rewrite it`
  }
  if (['eth_sendTransaction', 'eth_sendUnsignedTransaction', 'eth_sendRawTransactionSync'].includes(method)) {
    return `${method} is not available: sign the transaction and send it with eth_sendRawTransaction`
  }
  return undefined
}

function isRequest(value: unknown): value is RpcRequest {
  return typeof value === 'object' && value !== null && 'method' in value && typeof value.method === 'string'
}

async function answerOne(request: unknown, targets: ProxyTargets): Promise<unknown> {
  if (!isRequest(request)) return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Not a request' } }
  const envelope = { jsonrpc: '2.0', id: request.id ?? null }
  const refused = refusal(request.method)
  if (refused !== undefined) return { ...envelope, error: { code: -32601, message: refused } }
  const error = await targets.refuse(request)
  if (error !== null) return { ...envelope, error }
  if (request.method === 'eth_sendRawTransaction') {
    const raw: unknown = Array.isArray(request.params) ? request.params[0] : undefined
    if (typeof raw !== 'string' || !/^0x[0-9a-f]+$/i.test(raw)) {
      return {
        ...envelope,
        error: { code: -32602, message: 'The first parameter must be a signed transaction in hex' },
      }
    }
    return { ...envelope, ...(await targets.submit(raw)) }
  }
  return JSON.parse((await targets.forward(Buffer.from(JSON.stringify(request)))).toString('utf8')) as unknown
}

async function answer(body: Buffer, targets: ProxyTargets): Promise<Buffer> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Not JSON' } }))
  }
  const requests: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const isForwarded = (request: unknown): boolean =>
    isRequest(request) &&
    request.method !== 'eth_sendRawTransaction' &&
    refusal(request.method) === undefined &&
    !targets.mayRefuse(request.method)
  const onlyReads = requests.every(isForwarded)
  // Nearly all requests only read; those are forwarded without parsing each one.
  if (onlyReads && requests.length > 0) return targets.forward(body)
  if (!Array.isArray(parsed)) return Buffer.from(JSON.stringify(await answerOne(parsed, targets)))
  const answers: unknown[] = []
  for (const request of requests) answers.push(await answerOne(request, targets))
  return Buffer.from(JSON.stringify(answers))
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Listens on 127.0.0.1. @throws when the port is taken */
export function startRpcProxy(port: number, targets: ProxyTargets): Promise<Server> {
  const server = createServer((request, response) => {
    const reply = (status: number, body: Buffer | string = '') =>
      response.writeHead(status, { ...corsHeaders, 'content-type': 'application/json' }).end(body)
    const handle = async () => {
      if (request.method === 'OPTIONS') return reply(204)
      if (request.method !== 'POST') return reply(405)
      const body = await readBody(request)
      if (body === undefined) return reply(413)
      return reply(200, await answer(body, targets))
    }
    handle().catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else {
        const message = `The development chain gave no answer: ${error instanceof Error ? error.message : String(error)}`
        reply(503, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32603, message } }))
      }
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}
