import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPayoutScenario } from './payouts-scenario.ts'
import { environmentOf, Server } from '@candela/testing/server/server-process'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

/** A server with a key that has no role, under the name of one that has. */
async function refused(name: 'PAYER_KEY' | 'ATTESTER_KEY', words: RegExp): Promise<void> {
  await using scenario = await startPayoutScenario(chain)
  const env = {
    ...(await environmentOf(chain, { url: scenario.url })),
    GATEWAY_ADDRESS: scenario.gateway,
    START_BLOCK: String(scenario.startBlock),
    [name]: `0x${'5'.repeat(64)}`,
  }
  await using server = new Server(env)
  expect(await server.exited).toBe(1)
  expect(server.output).toMatch(words)
  expect(server.output).not.toContain('5555555555')
}

test('a key that the contract does not let pay ends the start with one line, and is not in it', () =>
  refused('PAYER_KEY', /candela: the payer's key belongs to 0x\w{40}, and the contract names 0x\w{40} as payer/))

test('a key that the contract does not let attest does so too', () =>
  refused(
    'ATTESTER_KEY',
    /candela: the attester's key belongs to 0x\w{40}, and the contract names 0x\w{40} as attester/,
  ))
