import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { localAddress } from './http-load.ts'

export type SlowClients = {
  /** How many connections are open still. */
  open: () => number
  end: () => void
}

const EACH = 200
const HEAD = 'Host: bench\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n'

/** The bytes that each kind sends at once, and what it sends or reads once a second. */
const kinds: { first: string; everySecond?: (socket: Socket) => void; reads: boolean }[] = [
  { first: '', reads: true },
  { first: 'GET /healthz HTTP/1.1\r\nHost: bench\r\nX: ', everySecond: (socket) => socket.write('a'), reads: true },
  { first: `POST /api/v1/gateway HTTP/1.1\r\n${HEAD}`, everySecond: (socket) => socket.write('a'), reads: true },
  { first: 'GET /large.txt HTTP/1.1\r\nHost: bench\r\n\r\n', everySecond: (socket) => socket.read(500), reads: false },
]

/** 200 of each kind: silent, with a slow head, with a slow body, taking an answer slowly. */
export async function openSlowClients(port: number): Promise<SlowClients> {
  const sockets = new Set<Socket>()
  for (let nth = 0; nth < EACH; nth++) {
    for (const { first, reads } of kinds) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: localAddress(nth) })
      sockets.add(socket)
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
      if (reads) socket.resume()
      else socket.pause()
      socket.write(first)
    }
    await sleep(2)
  }
  const all = [...sockets]
  const ticking = setInterval(() => {
    for (const [nth, socket] of all.entries()) if (socket.writable) kinds[nth % kinds.length]?.everySecond?.(socket)
  }, 1_000)
  return {
    open: () => sockets.size,
    end() {
      clearInterval(ticking)
      for (const socket of sockets) socket.destroy()
    },
  }
}
