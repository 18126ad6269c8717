import { expect, test } from 'vitest'
import { addressGroup } from '../kernel/address-group.ts'
import { fakeClock } from '../kernel/clock.ts'
import { createRateLimits } from './rate-limits.ts'

test('IPv6 clients are counted by their /64, IPv4 ones by themselves however they are written', () => {
  expect(addressGroup('203.0.113.9')).toBe('203.0.113.9')
  expect(addressGroup('::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(addressGroup('2001:0DB8:0001:0002::9')).toBe('2001:db8:1:2::/64')
  expect(addressGroup('2001:db8::9')).toBe('2001:db8:0:0::/64')
  expect(addressGroup('::1')).toBe('0:0:0:0::/64')
})

test('many addresses do not make memory grow, and one that is over its limit stays so', async () => {
  const clock = fakeClock()
  const limits = createRateLimits(clock, { maxKeys: 1_000 })
  for (let sent = 0; sent < 60; sent++) expect(await limits.takeForAddress('POST auth/login', '10.0.0.1')).toBe(0)
  for (let other = 0; other < 900; other++)
    await limits.takeForAddress('POST auth/login', `10.1.${other >> 8}.${other & 255}`)
  expect(await limits.takeForAddress('POST auth/login', '10.0.0.1')).toBeGreaterThan(0)
})

test('tokens come back with time, never more than the burst', async () => {
  const clock = fakeClock()
  const limits = createRateLimits(clock)
  const allowed = async () => {
    let count = 0
    while ((await limits.takeForAddress('POST auth/login', '10.0.0.1')) === 0) count += 1
    return count
  }
  expect(await allowed()).toBe(60)
  clock.advance(10_000)
  expect(await allowed()).toBe(10)
  clock.advance(86_400_000)
  expect(await allowed()).toBe(60)
  // A clock that is set back gives nothing away and takes nothing.
  clock.advance(-3_600_000)
  expect(await allowed()).toBe(0)
})

test('the scale multiplies every allowance', async () => {
  const limits = createRateLimits(fakeClock(), { scale: 3 })
  let count = 0
  while ((await limits.takeForAddress('POST auth/login', '10.0.0.1')) === 0) count += 1
  expect(count).toBe(180)
})
