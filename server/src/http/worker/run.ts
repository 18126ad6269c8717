import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { must } from '../../kernel/assert.ts'
import { clockOf } from '../../kernel/clock.ts'
import { systemIds } from '../../kernel/ids.ts'
import { createApp } from '../app.ts'
import type { Caller } from '../../api/dispatch.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { Readiness } from '../../api/health.ts'
import type { GaugeSource } from '../../kernel/gauge.ts'
import { createRateLimits } from '../../api/rate-limits.ts'
import type { Redis } from '../../redis/open-redis.ts'
import { createUsedHandshakes } from '../gateway/used-handshakes.ts'
import {
  type Call,
  type Counted,
  type FromWorker,
  type ListenFailure,
  type HttpWorkerSettings,
  type ToWorker,
  batchedSender,
} from './messages.ts'

/**
 * The HTTP side, on a thread of its own: connections, limits on clients, forms, envelopes, files. Only calls go to the main
 * thread, so parsing and refusing requests takes no time from the ledger and the chain.
 */
const main = must(parentPort, 'this file runs in a worker')
const settings = workerData as HttpWorkerSettings

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- between threads there are no origins
const post = (message: FromWorker): void => main.postMessage(message)
const work = batchedSender<Call | Counted>((items) => post({ kind: 'work', items }))

let lastId = 0
const waiting = new Map<number, (text: string) => void>()
const dispatch = (key: Call['key'], input: unknown, caller: Caller): Promise<string> =>
  new Promise((resolve) => {
    lastId += 1
    waiting.set(lastId, resolve)
    work({ id: lastId, key, input, caller })
  })

let isDraining = false
const readinessRequests: ((readiness: Readiness) => void)[] = []
const gauges: GaugeSource[] = []
const clock = clockOf(settings.clockOffsetFile)
const ids = systemIds(clock)
const redis = await connectionOf(settings.redisUrl)

const app = await createApp({
  ...settings,
  dispatch,
  gateway: createGateway({
    dispatch,
    limits: createRateLimits(clock, {
      scale: settings.rateLimitScale,
      redis,
      onUnshared: () => work('unshared limit'),
    }),
    handshakes: createUsedHandshakes(clock, redis),
    clock,
    onRefused: () => work('refused envelope'),
    onUnchecked: () => work('unchecked envelope'),
  }),
  readiness: () =>
    new Promise((resolve) => {
      if (readinessRequests.push(resolve) === 1) post({ kind: 'readiness request' })
    }),
  callId: () => ids.uuid(),
  onFailure: (failure) => post({ kind: 'failure', ...failure }),
  addGauge: (gauge) => gauges.push(gauge),
  isDraining: () => isDraining,
  clock: settings.clockOffsetFile === undefined ? undefined : clock,
})

main.on('message', (message: ToWorker) => {
  if (message.kind === 'answers') {
    for (const { id, text } of message.answers) {
      waiting.get(id)?.(text)
      waiting.delete(id)
    }
  } else if (message.kind === 'readiness') {
    for (const resolve of readinessRequests.splice(0)) resolve(message.readiness)
  } else if (message.kind === 'figures request') {
    void figures().then((all) => post({ kind: 'figures', figures: all }))
  } else if (message.kind === 'drain') {
    isDraining = true
  } else if (message.kind === 'listen') {
    void listen()
  } else {
    void stop()
  }
})

async function connectionOf(url: string | undefined): Promise<Redis | undefined> {
  if (url === undefined) return undefined
  const { openRedis } = await import('../../redis/open-redis.ts')
  return openRedis({ url, onChange: (reason) => post({ kind: 'redis', reason }) })
}

async function stop(): Promise<void> {
  await app.close()
  redis?.close()
  main.close()
}

async function figures(): Promise<Record<string, number>> {
  return Object.fromEntries(await Promise.all(gauges.map(async ({ name, read }) => [name, await read()] as const)))
}

async function listen(): Promise<void> {
  try {
    await redis?.connect()
    await app.listen({ host: settings.host, port: settings.port })
    const { port } = app.server.address() as AddressInfo
    post({ kind: 'listening', port, gauges: gauges.map(({ name, help }) => ({ name, help })) })
  } catch (error) {
    post({ kind: 'listen failed', failure: describe(error) })
  }
}

function describe(error: unknown): ListenFailure {
  if (!(error instanceof Error)) return { message: String(error), code: undefined, port: settings.port }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { message: error.message, code, port: settings.port }
}
