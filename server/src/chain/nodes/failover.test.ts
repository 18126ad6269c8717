import { RpcRequestError } from 'viem'
import { expect, test } from 'vitest'
import { RpcError } from '../ask.ts'
import type { RpcCall } from '../node/read-answers.ts'
import { failoverSender } from './failover.ts'

type Answers = (call: RpcCall) => unknown
const refuses = (code: number, message: string) => () => {
  throw new RpcRequestError({ body: {}, error: { code, message }, url: '' })
}
const fails = () => {
  throw new RpcError('unreachable', 'no connection')
}

/** A sender over nodes that answer so, and what each was asked and said to have done. */
function over(...nodes: Answers[]) {
  const asked: string[][] = nodes.map(() => [])
  const didTheirPart: (boolean | null)[] = nodes.map(() => null)
  const all = nodes.map((answers, index) => ({
    send: async (call: RpcCall) => {
      asked[index]?.push(call.method)
      return answers(call)
    },
    answered: (did: boolean) => void (didTheirPart[index] = did),
  }))
  return { send: failoverSender(() => all), asked, didTheirPart }
}

const call = (method: string): RpcCall => ({ method, params: [] })

test('the first node answers while it can; the next is asked for nothing', async () => {
  const { send, asked, didTheirPart } = over(
    () => 'a',
    () => 'b',
  )
  expect(await Promise.all([send(call('x')), send(call('y'))])).toEqual(['a', 'a'])
  expect(asked).toEqual([['x', 'y'], []])
  expect(didTheirPart).toEqual([true, null])
})

test('when it fails at one call of a tick, another node answers all of them: no two answers are of different nodes', async () => {
  const { send, asked, didTheirPart } = over(
    ({ method }) => (method === 'y' ? fails() : 'a'),
    ({ method }) => `b ${method}`,
  )
  expect(await Promise.all([send(call('x')), send(call('y'))])).toEqual(['b x', 'b y'])
  expect(asked).toEqual([
    ['x', 'y'],
    ['x', 'y'],
  ])
  expect(didTheirPart).toEqual([false, true])
})

test('what one node refuses is asked of the next, but a revert is the answer of the contract', async () => {
  const missing = over(refuses(-32_000, 'missing trie node'), () => 'b')
  expect(await missing.send(call('x'))).toBe('b')
  const reverted = over(refuses(3, 'execution reverted'), () => 'b')
  await expect(reverted.send(call('x'))).rejects.toThrow('execution reverted')
  expect(reverted.asked[1]).toEqual([])
  const both = over(refuses(-32_000, 'header not found'), refuses(-32_000, 'unknown block'))
  await expect(both.send(call('x'))).rejects.toThrow('header not found')
})

test('a signed transaction goes to all nodes, and one that takes it is enough', async () => {
  const sent = call('eth_sendRawTransaction')
  const { send, asked } = over(
    refuses(-32_000, 'nonce too low'),
    () => '0x1',
    () => '0x1',
  )
  expect(await send(sent)).toBe('0x1')
  expect(asked).toEqual([[sent.method], [sent.method], [sent.method]])
  // The words of a node that answers, not those of one that does not.
  const refused = over(fails, refuses(-32_000, 'nonce too low'))
  await expect(refused.send(sent)).rejects.toThrow('nonce too low')
})

test('without any node that answers, the failure is that of the first', async () => {
  const { send } = over(fails, () => {
    throw new RpcError('timeout', 'no answer in time')
  })
  await expect(send(call('x'))).rejects.toMatchObject({ failure: 'unreachable' })
})
