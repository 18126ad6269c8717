import { expect, test } from 'vitest'
import { checkedRpcUrls, expectKnownRpcs, rpcUrlsOf } from './known-rpcs.ts'

const [one, two] = ['https://rpc.juchain.org', 'https://rpc.example/key'] as const

test('RPCs are built in as a list, or not at all', () => {
  expect(rpcUrlsOf()).toBeNull()
  expect(rpcUrlsOf(' , ')).toBeNull()
  expect(rpcUrlsOf(`${one}, ${two}`)).toEqual([`${one}/`, two])
  for (const wrong of ['rpc.juchain.org', `${one},wss://rpc.example`, 'javascript:alert(1)'])
    expect(() => checkedRpcUrls(wrong)).toThrow('VITE_RPC_URLS')
  expect(checkedRpcUrls(one)).toEqual([`${one}/`])
})

test('what the service names has to be among those that were built in, and anything will do where none were', () => {
  const known = rpcUrlsOf(`${one},${two}`)
  expectKnownRpcs(known, [two, `${one}/`])
  for (const other of [
    'https://rpc.juchain.org.bank.example',
    'https://rpc.juchain.org@bank.example',
    'http://rpc.juchain.org',
    'https://rpc.juchain.org:8443',
    'https://rpc.example/other',
    'http://127.0.0.1:8545',
    'no URL',
  ])
    expect(() => expectKnownRpcs(known, [one, other])).toThrow(other)
  expectKnownRpcs(null, ['https://bank.example'])
})

test('of the page’s own machine all are known with one, and no other', () => {
  const known = rpcUrlsOf('http://127.0.0.1')
  expectKnownRpcs(known, ['http://127.0.0.1:8545', 'http://localhost:8545'])
  expect(() => expectKnownRpcs(known, ['http://127.0.0.1.bank.example'])).toThrow('bank.example')
})
