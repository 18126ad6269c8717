import { keptLog } from '@candela/testing/server/kept-log'
import { expect, test } from 'vitest'
import { fakeClock } from '../../kernel/clock.ts'
import type { NodeCheck, NodeSettings } from './check-node.ts'
import { nodeGaps } from './node-gaps.ts'

const fine: NodeCheck = { check: 'gas price', ok: true, found: 'yes', isAnswered: true }
const head: NodeCheck = { check: 'chain and head', ok: false, found: '9 h old', isAnswered: true }
const without: NodeCheck = { check: 'states kept', ok: false, found: 'not 30 blocks', isAnswered: true }
const silent: NodeCheck = { check: 'states kept', ok: false, found: 'no connection', isAnswered: false }

function over(...answers: NodeCheck[][]) {
  const clock = fakeClock()
  const { log, lines } = keptLog('error')
  const nodes = answers.map((_answer, index) => ({ url: `https://${index}.example.org/key` }) as NodeSettings)
  let looks = 0
  const check = async ({ url }: NodeSettings) => {
    looks += 1
    return answers[Number(url.charAt(8))] ?? []
  }
  return { clock, lines, answers, looks: () => looks, ...nodeGaps(nodes, { clock, log, check }) }
}

test('what a node lacks is named, once in the log, until it has it; then it is looked at each hour', async () => {
  const own = over([head, fine, without])
  expect(own.missing()).toBeNull()
  await own.look()
  await own.look()
  expect([own.missing(), own.looks()]).toEqual([['states kept'], 1])
  own.clock.advance(60_000)
  await own.look()
  expect([own.looks(), own.lines.length]).toEqual([2, 1])
  expect(own.lines.join('')).toContain('"node":"0.example.org","missing":"states kept: not 30 blocks"')
  own.answers[0] = [head, fine]
  own.clock.advance(60_000)
  await own.look()
  expect(own.missing()).toEqual([])
  own.clock.advance(3_599_000)
  await own.look()
  expect(own.looks()).toBe(3)
})

test('one of several nodes that has everything is enough', async () => {
  const own = over([without], [fine])
  await own.look()
  expect(own.missing()).toEqual([])
  expect(own.lines).toHaveLength(1)
})

test('a node that does not answer is not said to lack anything, and what was found before stays', async () => {
  const own = over([silent])
  await own.look()
  expect(own.missing()).toBeNull()
  own.answers[0] = [without]
  own.clock.advance(60_000)
  await own.look()
  own.answers[0] = [silent]
  own.clock.advance(60_000)
  await own.look()
  expect(own.missing()).toEqual(['states kept'])
})
