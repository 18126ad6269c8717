import { type TransferTerms, type TransferTypedData, transferTypedData } from '@candela/protocol/chain/typed-data'
import { codes } from '@candela/protocol/codes/codes'
import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import type { Language } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { REQUEST_ID_RANDOM_BYTES, requestIdOf } from '@candela/protocol/request-id'
import { ApiError, TransportError } from './errors.ts'
import { serverClock } from './server-clock.ts'
import { createTransport } from './transport.ts'

/** Lists that are answered page by page. */
export type PagedKey = {
  [K in Key]: Data<K> extends { items: unknown[]; nextCursor: string | null } ? K : never
}[Key]

/** One line of a list. */
export type Item<K extends PagedKey> = Data<K>['items'][number]

/** The account that signs in: one of viem, or anything that signs as wallets do (EIP-191, EIP-712). */
export type Signer = {
  address: `0x${string}`
  signMessage(parameters: { message: string }): Promise<string>
  signTypedData(parameters: TransferTypedData): Promise<string>
}

/**
 * The terms of a transfer to another member. `amount` is in base units (10^-18). `requestId` is from `Client.requestId()`: when no
 * answer came, `command/outcome` tells by it whether the transfer was done.
 */
export type Transfer = Pick<TransferTerms, 'to' | 'asset' | 'amount' | 'requestId'>

export type ClientOptions = {
  /** Where the service is, such as "https://candela.example". */
  origin: string
  /** The language of messages. English by default. */
  language?: Language
  /** A session's token, instead of signing in. */
  token?: string
  /** Production takes only envelopes, which is the default; a development server takes plain calls too. */
  envelope?: boolean
  /** How long to wait for one answer, in milliseconds: 50 s by default. */
  timeoutMs?: number
  /** How often a read, or a command with a request id, is sent again after no usable answer came: twice by default. */
  retries?: number
  /** How often a call is sent again that came too early (429), after growing pauses: 8 times by default. */
  rateLimitRetries?: number
  fetch?: typeof fetch
  /** This device's time in milliseconds since 1970. */
  now?: () => number
  random?: (count: number) => Uint8Array
}

export type Client = {
  /**
   * Calls one endpoint, such as `call('GET user/info', {})`. Inputs are texts; amounts are decimal texts in whole units.
   * @throws ApiError with the code when the service refuses, TransportError when no usable answer came: a command may then have been done,
   * and is repeated with the same request id, or asked for with `command/outcome`
   */
  call<K extends Key>(key: K, input: CallInput<K>, options?: { signal?: AbortSignal }): Promise<Data<K>>
  /** All lines of a list, page after page. */
  items<K extends PagedKey>(key: K, input: Omit<CallInput<K>, 'cursor'>): AsyncGenerator<Item<K>>
  /** Signs in by a signed message. The token is kept for the calls that follow. @param invitation a code, for an address without account */
  signIn(signer: Signer, invitation?: string): Promise<void>
  /** A new id for one command, made from the service's time. Keep it until the outcome of the command is known. */
  requestId(): string
  /** Signs a transfer and sends it. The recipient must have an account. */
  transfer(signer: Signer, transfer: Transfer): Promise<Data<'POST transfer/index'>>
  /** The session's token; empty before signing in. */
  token(): string
  /** The service's time in milliseconds since 1970, as its answers tell it. */
  serverNow(): number
}

const PAUSE_MS = 1_000
/** How long a signature for a transfer is good, in milliseconds. */
const SIGNATURE_LIFE_MS = 5 * 60_000

/** A client of one service, for one member or none. Nothing is sent before the first call. */
export function openClient(options: ClientOptions): Client {
  const { origin, language = 'en', envelope = true, timeoutMs = 50_000, retries = 2, rateLimitRetries = 8 } = options
  const random = options.random ?? ((count) => crypto.getRandomValues(new Uint8Array(count)))
  const clock = serverClock(options.now ?? Date.now)
  const base = origin.replace(/\/+$/, '')
  const send = createTransport({
    base,
    envelope,
    timeoutMs,
    retries,
    retryDelayMs: PAUSE_MS,
    fetch: options.fetch ?? fetch,
    now: options.now ?? Date.now,
    onAnswer: clock.note,
  })
  let token = options.token ?? ''

  const call: Client['call'] = async (key, input, { signal } = {}) => {
    const outgoing = { key, fields: fieldsOf(input), token, lang: language.toUpperCase(), signal: signal ?? null }
    for (let attempt = 1; ; attempt++) {
      const { code, message, data } = await send(outgoing)
      if (code === codes.ok) {
        if (typeof data !== 'object' || data === null) throw new TransportError('abnormal', `${key}: no data`)
        return data as Data<typeof key>
      }
      if (code !== codes.slowDown || attempt > rateLimitRetries) throw new ApiError(code, `${key}: ${String(message)}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }

  return {
    call,
    requestId: () => requestIdOf(clock.now(), random(REQUEST_ID_RANDOM_BYTES)),
    token: () => token,
    serverNow: clock.now,
    async *items(key, input) {
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Data<typeof key> = await call(key, {
          ...input,
          ...(cursor !== '' && { cursor }),
        } as CallInput<typeof key>)
        yield* page.items
        cursor = page.nextCursor
      }
    },
    async signIn(signer, invitation) {
      const { address } = signer
      const { message } = await call('GET auth/loginMessage', { address })
      const sign_message = await signer.signMessage({ message })
      const login = { address, message, sign_message, ...(invitation !== undefined && { code: invitation }) }
      token = (await call('POST auth/login', login)).token
    },
    async transfer(signer, { to, asset, amount, requestId: id }) {
      const { contracts } = await call('GET home/public', {})
      const { address } = await call('GET transfer/recipient', { to })
      const terms = {
        from: signer.address.toLowerCase() as `0x${string}`,
        to: address as `0x${string}`,
        asset,
        amount,
        requestId: id,
        deadline: new Date(clock.now() + SIGNATURE_LIFE_MS),
      }
      const signature = await signer.signTypedData(transferTypedData(terms, contracts.gateway as `0x${string}`))
      return call('POST transfer/index', {
        to: address,
        asset,
        amount: fromBaseUnits(amount),
        requestId: terms.requestId,
        deadline: terms.deadline.toISOString(),
        signature,
      })
    },
  }
}

/** A field that is undefined is not sent. */
function fieldsOf(input: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}
