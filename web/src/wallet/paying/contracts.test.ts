import { expect, test } from 'vitest'
import { contractsOf, expectKnown } from './contracts.ts'

const [gateway, usdt, hash] = ['aB', 'cd', 'ef'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]

test('contracts are built in as a whole, or not at all', () => {
  expect(contractsOf({})).toBeNull()
  const whole = { VITE_GATEWAY_ADDRESS: gateway, VITE_USDT_ADDRESS: usdt, VITE_HASH_ADDRESS: hash }
  expect(contractsOf(whole)).toEqual({ gateway: gateway.toLowerCase(), usdt, hash })
  expect(() => contractsOf({ ...whole, VITE_HASH_ADDRESS: '' })).toThrow('in whole')
  expect(() => contractsOf({ ...whole, VITE_USDT_ADDRESS: '0x12' })).toThrow('in whole')
})

test('what the service names has to be what was built in, and anything will do where nothing was', () => {
  const known = contractsOf({ VITE_GATEWAY_ADDRESS: gateway, VITE_USDT_ADDRESS: usdt, VITE_HASH_ADDRESS: hash })
  expectKnown(known, { gateway: gateway.toLowerCase(), usdt })
  expect(() => expectKnown(known, { gateway: usdt })).toThrow('as gateway')
  expect(() => expectKnown(known, { gateway, hash: usdt })).toThrow('as hash')
  expectKnown(null, { gateway: usdt })
})
