/** Reads what the app sends to the gateway, and makes chosen calls fail. */
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { innerRequest, type InnerRequest } from '@candela/protocol/envelope/envelope-schema'
import { decrypt, encrypt } from '@candela/protocol/envelope/testing-envelope'
import type { Request, Route } from 'playwright-core'
import type { BrowserSession } from './browser-session.ts'

export const formOf = (request: Request): URLSearchParams => new URLSearchParams(request.postData() ?? '')

/** The request inside of an envelope. */
export function innerOf(request: Request): InnerRequest {
  const form = formOf(request)
  return innerRequest.parse(JSON.parse(decrypt(form.get('data') ?? '', form.get('handshake') ?? '')))
}

/** Such as "GET user/info". */
const keyOf = (request: Request): string => {
  const { method, url } = innerOf(request)
  return `${method} ${url.replace('/api/v1/', '')}`
}

/** A fault happens to a call instead of its normal way. */
export type Fault = (route: Route) => Promise<void>

/** The connection ends: refused, dropped, no such name, or as Playwright calls it. */
export const cut =
  (why: 'connectionrefused' | 'connectionreset' | 'namenotresolved' | 'internetdisconnected'): Fault =>
  (route) =>
    route.abort(why)

/** Another server answers, such as a proxy. */
export const answered =
  (answer: { status: number; body?: string | Buffer; contentType?: string; headers?: Record<string, string> }): Fault =>
  (route) =>
    route.fulfill(answer)

/** The gateway's envelope around a body, sealed with the handshake of the request or with another one. */
export const sealed =
  (body: unknown, changes: { handshake?: string; cutTo?: number } = {}): Fault =>
  (route) => {
    const handshake = changes.handshake ?? formOf(route.request()).get('handshake') ?? ''
    const text = encrypt(JSON.stringify(body), handshake)
    return route.fulfill({ status: 200, contentType: 'text/plain', body: text.slice(0, changes.cutTo) })
  }

/** The call reaches the server with a signature that does not fit its data. */
export const tampered: Fault = (route) => {
  const form = formOf(route.request())
  form.set('sign', '0'.repeat(64))
  return route.continue({ postData: form.toString() })
}

/** There is never an answer. */
export const hanging: Fault = () => Promise.resolve()

/** The server does what it was asked, and its answer gets lost. */
export const lostAnswer: Fault = async (route) => {
  await route.fetch()
  await route.abort('connectionreset')
}

/** `set` makes the calls of one key fail from then on; `restore` ends all faults. */
export async function breakable(session: BrowserSession) {
  const broken = new Map<string, Fault>()
  const seen: InnerRequest[] = []
  await session.page.route(`**${GATEWAY_PATH}`, (route) => {
    seen.push(innerOf(route.request()))
    return (broken.get(keyOf(route.request())) ?? ((whole: Route) => whole.continue()))(route)
  })
  return {
    set: (key: string, fault: Fault) => void broken.set(key, fault),
    restore: () => broken.clear(),
    /** Calls of a key so far, oldest first. */
    calls: (key: string) => seen.filter(({ method, url }) => `${method} ${url.replace('/api/v1/', '')}` === key),
  }
}

/**
 * Removes the browser's own console errors about requests that a test made fail. Without a connection that may be a file as well: screens
 * are loaded while the page is idle.
 */
export function ignoreBrokenRequests(session: BrowserSession): void {
  const broken = /Failed to load resource.*(gateway|ERR_INTERNET_DISCONNECTED)/
  const left = session.problems.filter((problem) => !broken.test(problem))
  session.problems.splice(0, session.problems.length, ...left)
}

/** The server does what any call asks, and every answer is lost, until `page.unrouteAll({ behavior: 'wait' })`. */
export const dropAnswers = (session: BrowserSession): Promise<unknown> =>
  session.page.route('**/api/**', async (route) => {
    await route.fetch()
    await route.abort()
  })

/** The same for requests whose answers were dropped. */
export function ignoreDroppedRequests(session: BrowserSession): void {
  const left = session.problems.filter((problem) => !problem.includes('ERR_FAILED'))
  session.problems.splice(0, session.problems.length, ...left)
}
