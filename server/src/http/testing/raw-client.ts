import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Writes bytes to a connection and reads the answers until the server ends it, or until there are as many answers as
 * expected (one, unless told otherwise) and nothing more has come for a while. Nothing is added to the bytes.
 */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: { answers?: number; quiet_ms?: number } = {},
): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const hasBodies = !bytes.toString('latin1').startsWith('HEAD ')
  let received = ''
  // The server may close the connection before all bytes are sent.
  socket.on('error', () => undefined)
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1')
    if (answersIn(received, hasBodies).answers.length < (options.answers ?? 1)) return
    socket.setTimeout(options.quiet_ms ?? 100, () => socket.destroy())
  })
  socket.write(bytes)
  await closed(socket)
  const { answers, rest } = answersIn(received, hasBodies)
  if (rest !== '') throw new Error(`not an answer: ${rest.slice(0, 200)}`)
  return answers
}

/** Resolves when the connection is closed, by either side. */
export const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))

/** Splits answers by their lengths, as a client that keeps the connection does. What is incomplete is the rest. */
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
