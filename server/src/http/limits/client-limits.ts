/** How long the server waits for a client, and for how many at a time. Times are milliseconds. */
export type ClientLimits = {
  /** For the head of a request; on a new connection from its opening. */
  head_ms: number
  /** For a whole request, head and body. */
  request_ms: number
  /** For the next request on a connection that was used. */
  idle_ms: number
  /** From the head of a request until its answer was taken. */
  answer_ms: number
  /** How often the first two are checked. What takes too long is noticed so much later. */
  check_ms: number
  /** A closing server waits so long for clients; for what it works on itself it waits without a limit. */
  close_ms: number
  maxConnections: number
}

export const clientLimits: ClientLimits = {
  // A head is one packet, or three on a bad line with two of them lost.
  head_ms: 10_000,
  // The largest body, 96 KiB, at 5 KiB a second. Nearly all are one packet.
  request_ms: 20_000,
  // Proxies keep theirs for 60 seconds. If the server closed one first, a request might be on its way already.
  idle_ms: 65_000,
  // The largest file at 1 KiB a second.
  answer_ms: 120_000,
  check_ms: 1_000,
  close_ms: 2_000,
  // A process has at least 1,024 file handles and usually many more; an idle connection takes about 10 KiB.
  maxConnections: 4_096,
}
