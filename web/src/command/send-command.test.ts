import { beforeEach, describe, expect, test, vi } from 'vitest'
import { replaceTransport, wireApi } from '../api/call.ts'
import { TransportError } from '@candela/client/errors'
import type { Answer, Outgoing } from '@candela/client/transport'
import { createDeviceStorage, memoryStorage } from '../lib/storage.ts'
import { forbidden } from '../lib/testing-storage.ts'
import type { App } from '../session/app-context.tsx'
import { NotSent, sendCommand, inquiryOf, pendingOf } from './send-command.ts'

const opening = { asset: 'JU', margin: '100', ratio: '2', days: '7', acceptWarning: '0' } as const
const at = (minBought: string) => ({ ...opening, minBought })
const ok = (data: unknown): Answer => ({ code: 200, message: '', data })
const done = () => Promise.resolve(ok({ loan: 'L2' }))
const lost = () => Promise.reject(new TransportError('connect', 'lost'))

let memory: Map<string, string>
let sent: Outgoing[]
/** The server's answers to each endpoint, in turn; a call without one is lost. */
let server: Record<string, (() => Promise<Answer>)[]>
const notify = vi.fn()

beforeEach(() => {
  memory = new Map()
  sent = []
  server = {}
  notify.mockClear()
  wireApi({
    token: () => 'token',
    language: () => 'en',
    sessionEnded: () => {},
    notify,
    describe: (problem) => problem,
  })
  replaceTransport((outgoing) => {
    sent.push(outgoing)
    return (server[outgoing.key]?.shift() ?? lost)()
  })
})

/** A page of the device. */
const openPage = (address = '0xAA') =>
  ({ storage: memoryStorage(memory), session: { get: () => ({ address, token: 'token' }) } }) as unknown as App

const openings = () => sent.filter(({ key }) => key === 'POST lever/open').map(({ fields }) => fields)
const open = (app: App, minBought: string) => sendCommand(app, 'POST lever/open', at(minBought))

describe('a command whose answer is lost', () => {
  test('keeps its id and what was sent, while prices move, on this page and after a reload', async () => {
    const page = openPage()
    server = {
      'POST lever/open': [lost],
      'GET command/outcome': [() => Promise.resolve(ok({ state: 'unknown', at: null, result: null }))],
    }
    const first = open(page, '50')
    await expect.poll(() => inquiryOf(page).shown.get()?.known).toBe('unknown')
    inquiryOf(page).close()
    await expect(first).rejects.toBeInstanceOf(NotSent)
    // The same again at another price, after a reload: nothing new is sent.
    const reloaded = openPage()
    server['GET command/outcome'] = [() => Promise.resolve(ok({ state: 'unknown', at: null, result: null }))]
    const again = open(reloaded, '49')
    await expect.poll(() => inquiryOf(reloaded).shown.get()?.known).toBe('unknown')
    expect(openings()).toHaveLength(1)
    server['POST lever/open'] = [() => Promise.resolve(ok({ loan: 'L1' }))]
    inquiryOf(reloaded).sendAgain()
    expect(await again).toEqual({ loan: 'L1' })
    expect(openings()).toEqual([openings()[0], openings()[0]])
    expect(openings()[0]).toMatchObject({ minBought: '50' })
    // Its outcome is known: the next one is another.
    server['POST lever/open'] = [() => Promise.resolve(ok({ loan: 'L2' }))]
    expect(await open(reloaded, '48')).toEqual({ loan: 'L2' })
    expect(openings()[2]?.['requestId']).not.toBe(openings()[0]?.['requestId'])
    expect(notify).not.toHaveBeenCalled()
  })

  test('that was done is its answer, for whoever asks for the same', async () => {
    server = {
      'POST lever/open': [lost, () => Promise.resolve(ok({ loan: 'L1' }))],
      'GET command/outcome': [() => Promise.resolve(ok({ state: 'done', at: 'T', result: {} }))],
    }
    expect(await open(openPage(), '50')).toEqual({ loan: 'L1' })
    expect(openings()).toEqual([openings()[0], openings()[0]])
  })

  test('comes before another one of the kind, which is then asked for anew', async () => {
    const page = openPage()
    server['POST lever/open'] = [lost]
    const first = open(page, '50')
    await expect.poll(() => inquiryOf(page).shown.get()?.act).toBeNull()
    inquiryOf(page).close()
    await expect(first).rejects.toBeInstanceOf(NotSent)
    server = {
      'POST lever/open': [() => Promise.resolve(ok({ loan: 'L1' }))],
      'GET command/outcome': [() => Promise.resolve(ok({ state: 'done', at: 'T', result: {} }))],
    }
    const other = sendCommand(page, 'POST lever/open', { ...at('99'), margin: '200' })
    await expect(other).rejects.toBeInstanceOf(NotSent)
    expect(openings().map((fields) => fields['margin'])).toEqual(['100', '100'])
  })

  test('stays away from other accounts, other commands and other devices', async () => {
    server['POST lever/open'] = [lost]
    const page = openPage()
    const first = open(page, '50')
    await expect.poll(() => inquiryOf(page).shown.get()?.act).toBeNull()
    inquiryOf(page).close()
    await expect(first).rejects.toBeInstanceOf(NotSent)
    server = {
      'POST lever/open': [done, done],
      'POST finance/transferIn': [() => Promise.resolve(ok({ amount: '1' }))],
    }
    expect(await open(openPage('0xBB'), '50')).toEqual({ loan: 'L2' })
    expect(await sendCommand(page, 'POST finance/transferIn', { amount: '1' })).toEqual({ amount: '1' })
    memory = new Map()
    expect(await open(openPage(), '50')).toEqual({ loan: 'L2' })
    expect(new Set(openings().map((fields) => fields['requestId'])).size).toBe(3)
  })
})

test('on a device that is full a command keeps its id as long as the page', async () => {
  const full = createDeviceStorage({ ...forbidden, getItem: () => null })
  const page = { ...openPage(), storage: full }
  server = { 'POST lever/open': [lost] }
  const first = open(page, '50')
  await expect.poll(() => inquiryOf(page).shown.get()?.act).toBeNull()
  inquiryOf(page).close()
  await expect(first).rejects.toBeInstanceOf(NotSent)
  server = {
    'POST lever/open': [done],
    'GET command/outcome': [() => Promise.resolve(ok({ state: 'done', at: 'T', result: {} }))],
  }
  expect(await open(page, '49')).toEqual({ loan: 'L2' })
  expect(openings()).toEqual([openings()[0], openings()[0]])
})

test('a second tap while the first is under way is the same', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  server['POST lever/open'] = [() => promise]
  const page = openPage()
  const [one, other] = [open(page, '50'), open(page, '49')]
  resolve(ok({ loan: 'L1' }))
  expect(await Promise.all([one, other])).toEqual([{ loan: 'L1' }, { loan: 'L1' }])
  expect(openings()).toHaveLength(1)
})

test.each([4204, 429, 401, 400])('what the server has refused (%i) is over, and said in its words', async (code) => {
  const page = openPage()
  server['POST lever/open'] = [() => Promise.resolve({ code, message: `said ${code}`, data: null })]
  await expect(open(page, '50')).rejects.toMatchObject({ code })
  expect(notify).toHaveBeenCalledWith(`said ${code}`, code)
  expect(pendingOf(page).all.get()).toBeNull()
})

test('a fault of the server leaves open what became of it, as a lost answer does', async () => {
  const page = openPage()
  server['POST lever/open'] = [() => Promise.resolve({ code: 500, message: 'fault', data: null })]
  const first = open(page, '50')
  await expect.poll(() => inquiryOf(page).shown.get()?.known).toBe('looking')
  expect([notify.mock.calls, pendingOf(page).all.get()?.length]).toEqual([[], 1])
  inquiryOf(page).close()
  await expect(first).rejects.toBeInstanceOf(NotSent)
})
