import { createSocket } from 'node:dgram'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** First port, and the one after the last, of those that systems give neither to connections nor to `listen(0)`. */
const FIRST = 10_000
const END = 32_768

/**
 * A port of 127.0.0.1 that nothing listens on, and that nothing else gets before its program has started, or while it
 * starts anew: the system itself gives no port of this range, and no other caller, in this process or in another one,
 * gets the port as long as this process lives.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= 1000; attempt += 1) {
    const port = randomInt(FIRST, END)
    if ((await reserve(port)) && !(await isPortTaken(port))) return port
  }
  throw new Error(`No port between ${FIRST} and ${END - 1} is free`)
}

/** Takes the port's number of the other protocol, which our programs do not use, until this process ends. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  try {
    socket.bind(port, '127.0.0.1')
    await once(socket, 'listening')
    return true
  } catch (error) {
    socket.close()
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}

/** Whether something listens on the port of 127.0.0.1. */
export function isPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(true)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
}
