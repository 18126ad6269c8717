import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type LogEvent, logEvents } from './log-events.ts'
import { flatLog } from './log.ts'
import { keptLog } from '@candela/testing/server/kept-log'

/** The names that pino itself puts at the head of each line. */
const ownNames = ['level', 'time', 'pid', 'hostname']

test('a line says its event before its other facts, and prose last', () => {
  const { log, lines } = keptLog('info')
  log.warn({ event: 'payout.refused-by-node', chain: 210_000, withdrawal: 'W1' }, 'the node refused it')
  flatLog(log, 'call.answered').info({ durationMs: 1.5, code: 200 }, 'call')
  const [first = '', second = ''] = lines
  expect(lines).toHaveLength(2)
  expect(Object.keys(JSON.parse(first) as object)).toEqual([...ownNames, 'event', 'chain', 'withdrawal', 'msg'])
  expect(Object.keys(JSON.parse(second) as object)).toEqual([...ownNames, 'event', 'durationMs', 'code', 'msg'])
  expect(JSON.parse(first)).toMatchObject({ event: 'payout.refused-by-node', msg: 'the node refused it' })
  expect(JSON.parse(second)).toMatchObject({ event: 'call.answered', durationMs: 1.5, code: 200, msg: 'call' })
})

test('a log for lines of one event replaces secrets at the top level', () => {
  const { log, lines } = keptLog('info')
  flatLog(log, 'call.answered').info({ token: 'SECRET', code: 200 }, 'call')
  expect(JSON.parse(lines.join(''))).toMatchObject({ event: 'call.answered', token: '[secret]', code: 200 })
})

test('no line compiles without an event of the list', () => {
  const { log, lines } = keptLog('fatal')
  const someText: string = 'server.started' satisfies LogEvent
  // @ts-expect-error -- prose alone
  log.info('hello')
  // @ts-expect-error -- facts without an event
  log.info({ reason: 'none' }, 'hello')
  // @ts-expect-error -- an event that is not in the list
  log.info({ event: 'server.begun' }, 'hello')
  // @ts-expect-error -- an event that is only known when it runs
  log.info({ event: someText }, 'hello')
  // @ts-expect-error -- a second event
  flatLog(log, 'call.answered').info({ event: 'call.failed' }, 'hello')
  expect(lines).toEqual([])
})

test('the names of events are an area and what happened, each explained in one short sentence', () => {
  for (const [event, meaning] of Object.entries(logEvents)) {
    expect(event).toMatch(/^[a-z]+\.[a-z]+(?:-[a-z]+)*$/)
    expect(meaning).toMatch(/^[A-Z].{10,110}\.$/)
  }
})

test('lines that nobody reads are kept up to a limit; of those beyond it, the log says how many were lost', async () => {
  const program = `
    import { processLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
    const { log, written } = processLog('info')
    const text = 'x'.repeat(1_000_000)
    for (let line = 0; line < 20; line++) log.info({ event: 'server.started', text }, 'a long line')
    process.stderr.write('all are logged')
    await written()
    await written()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  const exited = once(child, 'exit')
  await once(child.stderr, 'data')
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) output += String(chunk)
  expect(await exited).toEqual([0, null])
  const lines = output.trimEnd().split('\n')
  const { event, lines: lost } = JSON.parse(lines.at(-1) ?? '') as { event: string; lines: number }
  expect(event).toBe('log.lines-lost' satisfies LogEvent)
  expect(lost).toBeGreaterThan(0)
  expect(lines.length - 1 + lost).toBe(20)
})
