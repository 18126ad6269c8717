import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Puts bytes on a connection and reads what comes back until the server ends it, or until nothing has come for a while
 * after an answer: a client that knows no better than these bytes.
 */
export async function say(
  port: number,
  bytes: string | Buffer,
  options: { quiet_ms?: number } = {},
): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const pieces: Buffer[] = []
  // The server may be through with us before we are with what we send.
  socket.on('error', () => undefined)
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece)
    socket.setTimeout(options.quiet_ms ?? 150, () => socket.destroy())
  })
  socket.write(bytes)
  await closed(socket)
  return answersIn(Buffer.concat(pieces).toString('latin1'))
}

/** When the connection is over, however it ended. */
export const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))

/** Takes answers apart by their lengths, as whoever keeps a connection has to. */
function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
    if (end === -1 || status === undefined) throw new Error(`not an answer: ${rest.slice(0, 200)}`)
    const length = Number(headers['content-length'] ?? 0)
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8')
    answers.push({ status: Number(status), headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
