/** A proxy between a browser and the product. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts a proxy for the product at `origin`, whose connections can be cut, which can lose files, and which can answer with the service worker
 * of another build.
 */
export async function openProxy(origin: string) {
  let isCut = false
  let toLose = { paths: /(?!)/, times: 0 }
  let lost: string[] = []
  const isLost = (path: string) => toLose.paths.test(path) && lost.filter((each) => each === path).length < toLose.times
  let isOther = false
  const server: Server = createServer((asked, answer) => {
    const target = new URL(asked.url ?? '/', origin)
    if (isCut || isLost(target.pathname)) {
      if (!isCut) lost.push(target.pathname)
      asked.socket.destroy()
      return
    }
    const isWorker = target.pathname === '/sw.js'
    const { 'if-none-match': _, 'if-modified-since': __, ...unconditional } = asked.headers
    const headers = isWorker ? { ...unconditional, 'accept-encoding': 'identity' } : asked.headers
    const forwarded = request(target, { method: asked.method, headers }, (real) => {
      const { 'content-length': length, ...others } = real.headers
      const more = isWorker && isOther ? '// another build' : ''
      const sized = length === undefined ? {} : { 'content-length': Number(length) + more.length }
      answer.writeHead(real.statusCode ?? 500, { ...others, ...sized })
      real.on('data', (bytes) => answer.write(bytes))
      real.on('end', () => answer.end(more))
    })
    forwarded.on('error', () => asked.socket.destroy())
    asked.pipe(forwarded)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      server.closeAllConnections()
    },
    mend: () => void (isCut = false),
    /** From now on the first `times` requests for each of these paths have no answer; others have one again. */
    lose(paths: RegExp, times = Infinity) {
      toLose = { paths, times }
      lost = []
    },
    loseNothing: () => void (toLose = { paths: /(?!)/, times: 0 }),
    /** The calls that were lost since `lose`, in this order. */
    lost: () => lost,
    release: () => void (isOther = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
