import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { must } from '../../kernel/assert.ts'
import { systemClock } from '../../kernel/clock.ts'
import { systemIds } from '../../kernel/ids.ts'
import { createApp } from '../app.ts'
import type { Caller } from '../../api/dispatch.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { Readiness } from '../../api/health.ts'
import type { GaugeSource } from '../../api/metrics.ts'
import { createRateLimits } from '../../api/rate-limits.ts'
import { ReplayTable } from '../gateway/replay-table.ts'
import type { Call, FromThread, ListenFailure, ThreadSettings, ToThread } from './messages.ts'
import { outbox } from './messages.ts'

/**
 * The HTTP side, on a thread of its own: connections, limits on clients, forms, envelopes, files. What is left of a
 * request is a call, which the main thread answers. So whatever comes from outside, and however much of it, the ledger and
 * the chain are not kept waiting by it; and refusing costs nothing to those who are served.
 */
const main = must(parentPort, 'this file runs as a thread')
const settings = workerData as ThreadSettings

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- between threads there are no origins
const post = (message: FromThread): void => main.postMessage(message)
const work = outbox<Call | 'refused envelope'>((items) => post({ kind: 'work', items }))

let lastId = 0
const waiting = new Map<number, (text: string) => void>()
const ask = (key: Call['key'], input: unknown, caller: Caller): Promise<string> =>
  new Promise((resolve) => {
    lastId += 1
    waiting.set(lastId, resolve)
    work({ id: lastId, key, input, caller })
  })

const wantReadiness: ((readiness: Readiness) => void)[] = []
const gauges: GaugeSource[] = []
const ids = systemIds(systemClock)

const app = await createApp({
  ...settings,
  ask,
  gateway: createGateway({
    ask,
    limits: createRateLimits(systemClock, { scale: settings.rateLimitScale }),
    replays: new ReplayTable(systemClock),
    clock: systemClock,
    onRefused: () => work('refused envelope'),
  }),
  readiness: () =>
    new Promise((resolve) => {
      if (wantReadiness.push(resolve) === 1) post({ kind: 'readiness wanted' })
    }),
  callId: () => ids.uuid(),
  onFailure: (failure) => post({ kind: 'failure', ...failure }),
  addGauge: (gauge) => gauges.push(gauge),
})

main.on('message', (message: ToThread) => {
  if (message.kind === 'answers') {
    for (const { id, text } of message.answers) {
      waiting.get(id)?.(text)
      waiting.delete(id)
    }
  } else if (message.kind === 'readiness') {
    for (const resolve of wantReadiness.splice(0)) resolve(message.readiness)
  } else if (message.kind === 'figures wanted') {
    void figures().then((all) => post({ kind: 'figures', figures: all }))
  } else if (message.kind === 'listen') {
    void listen()
  } else {
    void app.close().then(() => main.close())
  }
})

async function figures(): Promise<Record<string, number>> {
  return Object.fromEntries(await Promise.all(gauges.map(async ({ name, read }) => [name, await read()] as const)))
}

async function listen(): Promise<void> {
  try {
    await app.listen({ host: settings.host, port: settings.port })
    const { port } = app.server.address() as AddressInfo
    post({ kind: 'listening', port, gauges: gauges.map(({ name, help }) => ({ name, help })) })
  } catch (error) {
    post({ kind: 'not listening', failure: describe(error) })
  }
}

function describe(error: unknown): ListenFailure {
  if (!(error instanceof Error)) return { message: String(error), code: undefined, port: settings.port }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { message: error.message, code, port: settings.port }
}
