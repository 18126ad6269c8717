import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { fakeClock } from '../../kernel/clock.ts'
import { ReplayTable } from './replay-table.ts'

test('a flood never makes the table grow past its capacity, nor a handshake good twice', () => {
  const clock = fakeClock()
  const table = new ReplayTable(clock, 1_000)
  const accepted: [string, number][] = []
  for (let sent = 0; sent < 20_000; sent++) {
    clock.advance(10)
    const timestamp = clock.now().getTime() - (sent % 7) * 1_000
    if (table.use(`flood${sent}`, timestamp)) accepted.push([`flood${sent}`, timestamp])
    expect(table.size).toBeLessThanOrEqual(1_000)
  }
  // The ones dated some seconds back fall behind the shrunken window; the others all pass.
  expect(accepted.length).toBeGreaterThan(15_000)
  for (const [handshake, timestamp] of accepted) expect(table.use(handshake, timestamp)).toBe(false)
})

test('clients whose clock is right get through a flood, also one that is dated ahead or behind', () => {
  for (const skew_ms of [-110_000, 0, 110_000]) {
    const clock = fakeClock()
    const table = new ReplayTable(clock, 1_000)
    let refused = 0
    for (let sent = 0; sent < 5_000; sent++) {
      clock.advance(20)
      table.use(`flood${sent}`, clock.now().getTime() + skew_ms)
      if (sent % 50 === 0 && !table.use(`honest${sent}`, clock.now().getTime())) refused += 1
    }
    expect(refused).toBe(0)
  }
})

test('memory is given back when the window has passed', () => {
  const clock = fakeClock()
  const table = new ReplayTable(clock)
  for (let sent = 0; sent < 500; sent++) table.use(`handshake${sent}`, clock.now().getTime() + 100_000)
  expect(table.size).toBe(500)
  clock.advance(240_000)
  table.use('next', clock.now().getTime())
  expect(table.size).toBe(1)
})

test('whatever comes in whatever order, nothing is accepted twice (compared with a table that never forgets)', () => {
  const step = fc.record({
    advance_ms: fc.integer({ min: 0, max: 30_000 }),
    skew_ms: fc.integer({ min: -130_000, max: 130_000 }),
    handshake: fc.integer({ min: 0, max: 30 }),
    repeat: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const clock = fakeClock()
      const table = new ReplayTable(clock, 20)
      // An envelope is its handshake and its timestamp: a copy has both.
      const accepted = new Set<string>()
      let last = { handshake: 'first', timestamp: clock.now().getTime() }
      for (const { advance_ms, skew_ms, handshake, repeat } of steps) {
        clock.advance(advance_ms)
        if (!repeat) last = { handshake: `h${handshake}`, timestamp: clock.now().getTime() + skew_ms }
        const envelope = `${last.handshake} ${last.timestamp}`
        if (!table.use(last.handshake, last.timestamp)) continue
        expect(accepted.has(envelope)).toBe(false)
        accepted.add(envelope)
      }
    }),
  )
})
