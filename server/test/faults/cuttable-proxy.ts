import { connect, createServer, type Socket } from 'node:net'

/** How a connection to the database is lost: closed by both ends, or open and silent. */
export type Loss = 'closed' | 'silent'

type Pair = readonly [Socket, Socket]

function silence(pair: Pair): void {
  for (const socket of pair) socket.unpipe().pause()
}

/** Passes connections on to a database of this machine, by TCP, until it is told to lose them. */
export async function startCuttableProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const port = Number(url.port)
  const pairs = new Set<Pair>()
  let loss: Loss | null = null
  const server = createServer((from) => {
    if (loss === 'closed') {
      from.destroy()
      return
    }
    const to = connect(port, '127.0.0.1')
    const pair = [from, to] as const
    pairs.add(pair)
    const end = () => {
      from.destroy()
      to.destroy()
      pairs.delete(pair)
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    if (loss === 'silent') return
    from.pipe(to)
    to.pipe(from)
  })
  const closeAll = () => {
    for (const [from] of pairs) from.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  url.port = String(address.port)
  // A socket file would lead past the proxy.
  url.searchParams.delete('host')
  return {
    /** The URL of the same database, through this. */
    url: url.href,
    lose(how: Loss): void {
      loss = how
      if (how === 'closed') closeAll()
      else for (const pair of pairs) silence(pair)
    },
    /** New connections are passed on; those that were lost are closed, or stay silent. */
    mend(lost: Loss = 'closed'): void {
      loss = null
      if (lost === 'closed') closeAll()
    },
    async [Symbol.asyncDispose]() {
      closeAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
