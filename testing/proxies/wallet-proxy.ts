/** A proxy that puts a wallet into the product's page, for engines that run no script before those of a page. */
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ProviderError } from '../wallets/test-wallet.ts'
import type { PageWallet } from '../wallets/page-wallet.ts'

const SCRIPT = '/wallet-of-tests.js'
const ASK = '/wallet-of-tests'

/** Runs inside the page, before the app. */
function announce(info: { name: string; rdns: string }, ask: string): void {
  const provider = {
    async request(asked: object): Promise<unknown> {
      const answer = await fetch(ask, { method: 'POST', body: JSON.stringify(asked) })
      const { result, error } = (await answer.json()) as { result?: unknown; error?: { code: number; message: string } }
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on: () => undefined,
    removeListener: () => undefined,
  }
  const icon =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="teal"/></svg>'
  const detail = { info: { uuid: '00000000-0000-4000-8000-000000000001', icon, ...info }, provider }
  const page = globalThis as unknown as EventTarget
  const tell = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', tell)
  tell()
}

export async function openWalletProxy(origin: string, { wallet, name, rdns }: PageWallet) {
  const server = createServer((asked, answer) => {
    if (asked.url === SCRIPT) {
      answer.setHeader('content-type', 'text/javascript')
      return answer.end(`(${announce.toString()})(${JSON.stringify({ name, rdns })}, ${JSON.stringify(ASK)})`)
    }
    if (asked.url === ASK)
      return void textOf(asked)
        .then((text) => JSON.parse(text) as { method: string; params?: unknown[] })
        .then(({ method, params = [] }) => wallet.request(method, params))
        .then(
          (result) => ({ result: result ?? null }),
          (error: unknown) => ({
            error: { code: error instanceof ProviderError ? error.code : -32_603, message: String(error) },
          }),
        )
        .then((body) => answer.end(JSON.stringify(body)))
    const isPage = new URL(asked.url ?? '/', origin).pathname === '/'
    const headers = isPage ? { ...asked.headers, 'accept-encoding': 'identity' } : asked.headers
    const forwarded = request(new URL(asked.url ?? '/', origin), { method: asked.method, headers }, (real) => {
      if (!isPage) {
        answer.writeHead(real.statusCode ?? 500, real.headers)
        return real.pipe(answer)
      }
      const { 'content-length': _, ...others } = real.headers
      answer.writeHead(real.statusCode ?? 500, others)
      return void textOf(real).then((html) =>
        answer.end(html.replace('<head>', `<head><script src="${SCRIPT}"></script>`)),
      )
    })
    forwarded.on('error', () => asked.socket.destroy())
    return asked.pipe(forwarded)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = ''
  stream.setEncoding('utf8')
  for await (const piece of stream) text += String(piece)
  return text
}
