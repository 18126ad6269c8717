import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Readiness } from '../api/health.ts'
import type { Metrics } from '../api/metrics.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

export type MetricsParts = {
  host: string
  /** 0 lets the system choose. */
  port: number
  metrics: Metrics
  readiness: () => Promise<Readiness>
  log: Log
}

export type MetricsServer = { url: string; stop: () => Promise<void> }

/** The metrics for Prometheus, and what `/healthz` and `/readyz` say, which a server without an API has nowhere else. */
export async function serveMetrics({ host, port, metrics, readiness, log }: MetricsParts): Promise<MetricsServer> {
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/healthz': (response) => Promise.resolve(sendJson(response, 200, { alive: true })),
    async '/readyz'(response) {
      const found = await readiness()
      sendJson(response, found.ready ? 200 : 503, found)
    },
  }
  const sendMetrics = async (response: ServerResponse) => {
    const text = await metrics.text()
    response.setHeader('content-type', metrics.contentType).end(text)
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''] ?? sendMetrics
    answer(response).catch((error: unknown) => {
      log.warn({ event: 'metrics.read-failed', reason: reasonOf(error) }, 'the metrics cannot be read')
      response.writeHead(503).end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const opened = address !== null && typeof address === 'object' ? address.port : port
  return { url: `http://${host}:${opened}`, stop: () => close(server) }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
