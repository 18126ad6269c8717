import { hash, randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Makes every identifier of the server. It is passed in, so that a scenario with a seed repeats exactly. */
export type IdSource = {
  /** UUID version 7: ordered by time, so that indexes grow at their end. */
  uuid(): string
  /** 256 random bits as 43 base64url characters: session tokens, login nonces. */
  token(): string
  /** A number that people read out and find in their history: UTC date and ten unambiguous characters (50 random bits). */
  orderNumber(): string
}

/** Identifiers from the operating system's random source. */
export function systemIds(clock: Clock): IdSource {
  return idsFrom(clock, (length) => randomBytes(length), randomInStock())
}

/** The same identifiers for the same seed and the same times. Never for production: anyone can compute them. */
export function seededIds(seed: string, clock: Clock): IdSource {
  let counter = 0
  return idsFrom(clock, (length) => {
    counter += 1
    return hash('sha256', `${seed}:${counter}`, 'buffer').subarray(0, length)
  })
}

/** Names with an earlier time keep the ids that they had before ids began with a time. Seconds since 1970. */
const TIMED_SINCE = Date.UTC(2026, 10, 24) / 1_000
const TIMED_UNTIL = 2 ** 32

/**
 * A UUID (version 8) that is a function of its name: the same event always gets the same posting id,
 * so that doing it again is seen to be the same.
 * @param at a time that follows from the name alone. The id begins with its seconds, so that what happens at the same time is written
 * to the same pages of an index, however large it is; without one the id is at a random place.
 */
export function uuidFromName(name: string, at?: Date): string {
  const bytes = hash('sha256', name, 'buffer').subarray(0, 16)
  const second = at === undefined ? 0 : Math.floor(at.getTime() / 1_000)
  if (second >= TIMED_SINCE && second < TIMED_UNTIL) bytes.writeUInt32BE(second)
  return formatUuid(bytes, 0x80)
}

const version7 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?7[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i
const orderNumber = /^(\d{4})(\d\d)(\d\d)[0-9A-Z]{10}$/

/** When an id was made, where it says so: a UUID of version 7, also without hyphens, or the day of an order number. */
export function timeOfId(id: string): Date | undefined {
  if (version7.test(id)) return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
  const [, year, month, day] = orderNumber.exec(id) ?? []
  return day === undefined ? undefined : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
}

type Random = (length: number) => Buffer

/**
 * Random bytes, fetched many at once: asking the operating system costs more than the rest of making an id or a number, and
 * each call has one. Not for secrets, which must not be in memory before they are needed.
 */
function randomInStock(size = 4_096): Random {
  let stock = Buffer.alloc(0)
  return (length) => {
    if (stock.length < length) stock = randomBytes(size)
    const bytes = stock.subarray(0, length)
    stock = stock.subarray(length)
    return bytes
  }
}

function idsFrom(clock: Clock, random: Random, randomForIds: Random = random): IdSource {
  return {
    uuid() {
      const bytes = Buffer.allocUnsafe(16)
      bytes.writeUIntBE(clock.now().getTime(), 0, 6)
      randomForIds(10).copy(bytes, 6)
      return formatUuid(bytes, 0x70)
    },
    token: () => random(32).toString('base64url'),
    orderNumber: () => `${clock.now().toISOString().slice(0, 10).replaceAll('-', '')}${crockford(randomForIds(10))}`,
  }
}

/** Writes version and variant into `bytes`. */
function formatUuid(bytes: Buffer, version: 0x70 | 0x80): string {
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | version
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

// Crockford's alphabet leaves out I, L, O and U, which people misread; a byte gives one character without bias.
function crockford(bytes: Buffer): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  return Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join('')
}
