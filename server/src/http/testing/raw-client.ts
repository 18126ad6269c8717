import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Puts bytes on a connection and reads what comes back until the server ends it, or until there are as many answers as
 * expected (one, unless told otherwise) and nothing more has come for a while: a client that knows no better than
 * these bytes.
 */
export async function say(
  port: number,
  bytes: string | Buffer,
  options: { answers?: number; quiet_ms?: number } = {},
): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const hasBodies = !bytes.toString('latin1').startsWith('HEAD ')
  let heard = ''
  // The server may be through with us before we are with what we send.
  socket.on('error', () => undefined)
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1')
    if (answersIn(heard, hasBodies).answers.length < (options.answers ?? 1)) return
    socket.setTimeout(options.quiet_ms ?? 100, () => socket.destroy())
  })
  socket.write(bytes)
  await closed(socket)
  const { answers, rest } = answersIn(heard, hasBodies)
  if (rest !== '') throw new Error(`not an answer: ${rest.slice(0, 200)}`)
  return answers
}

/** When the connection is over, however it ended. */
export const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))

/** Takes answers apart by their lengths, as whoever keeps a connection has to. What is incomplete is the rest. */
function answersIn(text: string, hasBodies: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = []
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, Math.max(end, 0)).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
    if (end === -1 || status === undefined) return { answers, rest }
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = hasBodies ? Number(headers['content-length'] ?? 0) : 0
    if (rest.length < end + 4 + length) return { answers, rest }
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8')
    answers.push({ status: Number(status), headers, body })
    rest = rest.slice(end + 4 + length)
  }
}
