import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@candela/testing/process/ports'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { logAdvice } from '@candela/server/operator/log-advice'
import { startServer } from '@candela/server/main/start-server'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configOnAnyPort, startChainForServer } from '../../testing/server/test-config.ts'

/** Alerts, dashboard and runbook name what there is. */

type Alert = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }

const read = (...path: string[]) => readFile(join(import.meta.dirname, ...path), 'utf8')
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const metricsIn = (text: string) => new Set(text.match(/\bcandela_[a-z_0-9]+/g))

let alerts: Alert[]
beforeAll(async () => {
  const { groups } = parse(await read('alerts.yml')) as { groups: { rules: Alert[] }[] }
  alerts = groups.flatMap(({ rules }) => rules)
  expect(alerts.length).toBeGreaterThan(30)
})

test('every metric of an alert and of the dashboard is exported by a running server', async () => {
  await using database = await createTestDatabase()
  const { chain, env } = await startChainForServer()
  try {
    const metricsPort = await freePort()
    const config = configOnAnyPort({ ...env, DATABASE_URL: database.url, METRICS_PORT: String(metricsPort) })
    const server = await startServer(config, {
      clock: systemClock,
      ids: systemIds(systemClock),
      log: silentLog(),
    })
    try {
      await fetch(`${server.url}/api/v1/home/public`)
      const exported = metricsIn(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
      const unknown = async (file: string) => [...metricsIn(await read(file))].filter((name) => !exported.has(name))
      expect(exported.size).toBeGreaterThan(50)
      expect(await unknown('alerts.yml')).toEqual([])
      expect(await unknown('alerts.test.yml')).toEqual([])
      expect(await unknown('dashboard.json')).toEqual([])
    } finally {
      await server.stop()
    }
  } finally {
    await chain.stop()
  }
})

test('every alert has its section in the runbook, and every section its alert', async () => {
  const [, first = ''] = (await read('../../docs/operate/runbook.md')).split(/^## .*\n/m)
  const sections = [...first.matchAll(/^### (.+)\n([^#]*)/gm)].map(([, name = '', body = '']) => ({ name, body }))
  expect(sections.map(({ name }) => name)).toEqual(alerts.map(({ alert }) => alert))
  for (const { name, body } of sections) {
    for (const part of ['Members:', 'Look:', 'Do:'])
      expect(body.replace('Look and do:', 'Look: Do:'), name).toContain(part)
  }
})

test('what the runbook quotes is a section of it, and what others quote of it too', async () => {
  const runbook = await read('../../docs/operate/runbook.md')
  const headings = new Set([...runbook.matchAll(/^### (.+)$/gm)].map(([, name = '']) => name))
  const quoted = [...inOneLine(runbook).matchAll(/"([A-Z][^"]+)"/g)].map(([, words = '']) => words)
  expect(quoted.length).toBeGreaterThan(8)
  expect(quoted.filter((words) => !headings.has(words))).toEqual([])

  const advised = Object.values(logAdvice).join(' ')
  const named = [...advised.matchAll(/(\w+) in the runbook/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !headings.has(name))).toEqual([])
  const operations = await read('../../docs/operate/operations.md')
  const elsewhere = [...advised.matchAll(/"([^"]+)" in operations/g)].map(([, name = '']) => name)
  expect(elsewhere.length).toBeGreaterThan(4)
  expect(elsewhere.filter((name) => !new RegExp(`^(?:#+ ${name}$|\\*\\*${name}\\.)`, 'm').test(operations))).toEqual([])
})

test('every alert has a test with promtool, and wakes somebody or does not', async () => {
  const tests = await read('alerts.test.yml')
  expect(alerts.map(({ alert }) => alert).filter((name) => !tests.includes(`alertname="${name}"`))).toEqual([])
  expect(new Set(alerts.map(({ labels }) => labels.severity))).toEqual(new Set(['page', 'ticket']))
})
