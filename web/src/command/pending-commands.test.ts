import { expect, test } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'
import { createPendingCommands } from './pending-commands.ts'

type Sent = { id: string }
const isSent = ({ id }: Sent) => id.length > 0
const open = (memory: Map<string, string>) => createPendingCommands<Sent>(memoryStorage(memory), 'sent', isSent)

test('each account has its own, however its address is written, until it is forgotten', () => {
  const memory = new Map<string, string>()
  open(memory).keep('0xAA', { id: 'a' })
  open(memory).keep('0xbb', { id: 'b' })
  expect([open(memory).of('0xaa'), open(memory).of('0xBB'), open(memory).of('0xcc')]).toEqual([
    { id: 'a' },
    { id: 'b' },
    null,
  ])
  open(memory).keep('0xaa', { id: 'c' })
  open(memory).forget('0xBb')
  expect([open(memory).of('0xAA'), open(memory).of('0xbb')]).toEqual([{ id: 'c' }, null])
  open(memory).forget('0xaa')
  expect(memory.size).toBe(0)
})

test.each(['[', 'null', '7', '"x"', '[]', '{"0xaa":null}', '{"0xaa":{}}', '{"0xaa":{"id":""}}'])(
  'of a storage that holds %s is nothing to ask for, and it can be used all the same',
  (nonsense) => {
    const memory = new Map([['sent', nonsense]])
    expect(open(memory).of('0xaa')).toBeNull()
    open(memory).keep('0xaa', { id: 'a' })
    expect(open(memory).of('0xaa')).toEqual({ id: 'a' })
  },
)

test('storage that is forbidden stands in nobody’s way', () => {
  const kept = createPendingCommands<Sent>(forbiddenStorage, 'sent', isSent)
  kept.keep('0xaa', { id: 'a' })
  expect(kept.of('0xaa')).toBeNull()
  expect(() => kept.forget('0xaa')).not.toThrow()
})
