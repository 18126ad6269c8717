/**
 * A relay as WalletConnect's own, on this machine: passes sealed messages between those who have subscribed to a topic, and keeps them
 * for who comes later. It reads none of them.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

type Call = { id: number | string; method: string; params: Record<string, unknown> }
/** `from`: the client, which stays the same when it connects again. */
type Kept = { from: string; topic: string; message: string; tag: number; publishedAt: number }

export type Relay = Awaited<ReturnType<typeof startRelay>>

export async function startRelay() {
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve)
  })
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
  const topics = new Map<WebSocket, { client: string; wanted: Set<string> }>()
  const kept: Kept[] = []
  const projects = new Set<string>()
  let pushes = 0

  const push = (socket: WebSocket, { topic, message, tag, publishedAt }: Kept): void =>
    socket.send(
      JSON.stringify({
        id: Date.now() * 1_000 + (pushes++ % 1_000),
        jsonrpc: '2.0',
        method: 'irn_subscription',
        params: { id: topic, data: { topic, message, tag, publishedAt } },
      }),
    )

  const clientOf = (socket: WebSocket): string => topics.get(socket)?.client ?? ''

  function publish(socket: WebSocket, topic: unknown, message: unknown, tag: unknown): void {
    const from = clientOf(socket)
    const one = { from, topic: String(topic), message: String(message), tag: Number(tag ?? 0), publishedAt: Date.now() }
    kept.push(one)
    for (const [other, { client, wanted }] of topics) if (client !== from && wanted.has(one.topic)) push(other, one)
  }

  function subscribe(socket: WebSocket, topic: unknown): string {
    const wanted = String(topic)
    const mine = topics.get(socket)
    if (mine?.wanted.has(wanted) === false) {
      mine.wanted.add(wanted)
      for (const each of kept) if (each.topic === wanted && each.from !== mine.client) push(socket, each)
    }
    return wanted
  }

  function answer(socket: WebSocket, { method, params }: Call): unknown {
    switch (method) {
      case 'irn_publish':
        publish(socket, params['topic'], params['message'], params['tag'])
        return true
      case 'irn_subscribe':
        return subscribe(socket, params['topic'])
      case 'irn_batchSubscribe':
        return (params['topics'] as unknown[]).map((topic) => subscribe(socket, topic))
      case 'irn_unsubscribe':
        topics.get(socket)?.wanted.delete(String(params['topic']))
        return true
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'wc_proposeSession':
        subscribe(socket, params['pairingTopic'])
        publish(socket, params['pairingTopic'], params['sessionProposal'], 1100)
        return true
      case 'wc_approveSession':
        subscribe(socket, params['sessionTopic'])
        publish(socket, params['pairingTopic'], params['sessionProposalResponse'], 1101)
        publish(socket, params['sessionTopic'], params['sessionSettlementRequest'], 1102)
        return true
      default:
        throw new Error(`The relay does not know ${method}`)
    }
  }

  server.on('connection', (socket, request) => {
    const { searchParams } = new URL(request.url ?? '/', url)
    topics.set(socket, { client: issuerOf(searchParams.get('auth') ?? ''), wanted: new Set() })
    projects.add(searchParams.get('projectId') ?? '')
    socket.on('close', () => topics.delete(socket))
    socket.on('message', (data: Buffer) => {
      const call = JSON.parse(data.toString()) as Partial<Call>
      // Else an acknowledgement of what was passed on.
      if (call.method === undefined) return
      socket.send(JSON.stringify({ id: call.id, jsonrpc: '2.0', result: answer(socket, call as Call) }))
    })
  })

  return {
    url,
    /** As the clients have named themselves. */
    projects,
    async close(): Promise<void> {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await new Promise((resolve) => {
        http.close(resolve)
      })
    },
  }
}

/** Reads who has signed a token, which is who the client is. */
function issuerOf(token: string): string {
  const [, claims = ''] = token.split('.')
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string }).iss
}
