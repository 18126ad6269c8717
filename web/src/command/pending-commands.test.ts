import { describe, expect, test } from 'vitest'
import { ApiError, TransportError } from '../api/errors.ts'
import type { KeptCommand } from '../lib/device-records.ts'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'
import { createPendingCommands } from './pending-commands.ts'

const command = (amount: string): KeptCommand<'transfer'> => ({
  toUid: '10002',
  input: {
    to: '0x02',
    asset: 'USDT',
    amount,
    requestId: 'id',
    deadline: '2026-11-21T12:05:00.000Z',
    signature: '0x12',
  },
})
const open = (memory: Map<string, string>) => createPendingCommands(memoryStorage(memory), 'transfer')

test('each account has its own, however its address is written, until it is forgotten', () => {
  const memory = new Map<string, string>()
  const [a, b, c] = [command('1'), command('2'), command('3')]
  open(memory).keep('0xAA', a)
  open(memory).keep('0xbb', b)
  expect([open(memory).of('0xaa'), open(memory).of('0xBB'), open(memory).of('0xcc')]).toEqual([a, b, null])
  open(memory).keep('0xaa', c)
  open(memory).forget('0xBb')
  expect([open(memory).of('0xAA'), open(memory).of('0xbb')]).toEqual([c, null])
  open(memory).forget('0xaa')
  expect(memory.size).toBe(0)
})

const withAmount = (amount: string) => JSON.stringify({ '0xaa': command(amount) })

test.each(['[', 'null', '7', '"x"', '[]', '{"0xaa":null}', '{"0xaa":{}}', withAmount('0'), withAmount('x')])(
  'of storage that holds %s is nothing to send again, and it can be used all the same',
  (nonsense) => {
    const memory = new Map([['transfer', nonsense]])
    expect(open(memory).of('0xaa')).toBeNull()
    open(memory).keep('0xaa', command('1'))
    expect(open(memory).of('0xaa')).toEqual(command('1'))
  },
)

test('forbidden storage prevents nothing', () => {
  const kept = createPendingCommands(forbiddenStorage, 'transfer')
  kept.keep('0xaa', command('1'))
  expect(kept.of('0xaa')).toBeNull()
  expect(() => kept.forget('0xaa')).not.toThrow()
})

/** What becomes of a kept command whose request ends like this. */
const sendWith = async (answer: () => Promise<string>) => {
  const pending = open(new Map())
  pending.keep('0xaa', command('1'))
  return { sent: await pending.send('0xaa', answer), isKept: pending.of('0xaa') !== null }
}
const reject = (problem: Error) => () => Promise.reject(problem)

describe('sending', () => {
  test('forgets what was done or refused', async () => {
    const error = new ApiError(4201, 'not enough')
    const done = await sendWith(() => Promise.resolve('ok'))
    expect(done).toEqual({ sent: { kind: 'done', result: 'ok' }, isKept: false })
    expect(await sendWith(reject(error))).toEqual({ sent: { kind: 'refused', error }, isKept: false })
  })

  test('keeps what nobody knows the outcome of', async () => {
    const unclear = { sent: { kind: 'noAnswer' }, isKept: true }
    expect(await sendWith(reject(new TransportError('timeout', 'late')))).toEqual(unclear)
    expect(await sendWith(reject(new ApiError(500, 'fault')))).toEqual(unclear)
    expect(await sendWith(reject(new ApiError(401, 'over')))).toEqual(unclear)
  })
})
