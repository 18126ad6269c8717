import type { z } from 'zod'
import type { ErrorName } from './codes/codes.ts'

/** The path that all plain routes begin with. An endpoint's key is its method and the rest, such as "GET user/info". */
export const API_BASE = '/api/v1'

export type Method = 'GET' | 'POST'

/** `public` needs no token; `session` refuses with 401 without a live one. */
export type Auth = 'public' | 'session'

/**
 * One row of the endpoint table. The server binds a handler to it, the web client calls it by its key, and the OpenAPI
 * document is printed from it.
 */
export type Endpoint = {
  /** One English sentence for the API document. */
  summary: string
  auth: Auth
  /** Parses form fields (texts) into what the handler takes. */
  input: z.ZodObject
  /** The content of `data` when the code is 200. */
  data: z.ZodType
  /** Codes beyond those that every endpoint may answer (400, 401 for `session`, 413, 429, 500), and every money command (5036). */
  errors: readonly ErrorName[]
}

/** Checks a row's type without widening it. */
export const endpoint = <const E extends Endpoint>(row: E): E => row

export type EndpointKey = `${Method} ${string}`

/** The method and the whole path of an endpoint's key. */
export function endpointRoute(key: EndpointKey): { method: Method; path: string } {
  const [method, name] = key.split(' ') as [Method, string]
  return { method, path: `${API_BASE}/${name}` }
}
