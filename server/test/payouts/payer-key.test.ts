import { startTestChain } from '@candela/testing/chain/test-chain'
import { expect, test } from 'vitest'
import { startPayoutScenario } from './payouts-scenario.ts'
import { environmentOf, Server } from '@candela/testing/server/server-process'

test('a key that the contract does not let pay ends the start with one line, and is not in it', async () => {
  await using chain = await startTestChain()
  await using scenario = await startPayoutScenario(chain)
  const key = `0x${'5'.repeat(64)}`
  const env = {
    ...(await environmentOf(chain, { url: scenario.url })),
    GATEWAY_ADDRESS: scenario.gateway,
    START_BLOCK: String(scenario.startBlock),
    PAYER_KEY: key,
  }
  await using server = new Server(env)
  expect(await server.exited).toBe(1)
  expect(server.output).toMatch(/candela: the payer's key belongs to 0x[0-9a-f]{40}, and the contract lets 0x/)
  expect(server.output).not.toContain('5555555555')
})
