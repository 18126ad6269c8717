import { setTimeout as sleep } from 'node:timers/promises'
import { startTestChain } from '@candela/server/chain/testing-chain'
import { WHOLE } from '@candela/server/modules/power/testing'
import { expect, test } from 'vitest'
import { startPayoutScenario } from './payouts-scenario.ts'
import { environmentOf, Server, temporaryFolder } from './server-process.ts'

const KILLS = 12
const WITHDRAWALS = 60

/** A server that listens; one that finds the database still held by its dead predecessor ends, and is tried again. */
async function startedServer(env: Record<string, string>): Promise<Server> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const server = new Server(env)
    await server.listening
    if (!server.isGone) return server
    if (!server.output.includes('another server is running')) throw new Error(`the server ended: ${server.output}`)
  }
  throw new Error('the database stays held')
}

test('a server killed again and again while it pays out: every withdrawal is paid exactly once', async () => {
  await using chain = await startTestChain()
  await using scenario = await startPayoutScenario(chain)
  await using cache = await temporaryFolder()
  const { db, alice } = scenario
  const env = {
    ...(await environmentOf(chain, { url: scenario.url }, cache.path)),
    GATEWAY_ADDRESS: scenario.gateway,
    START_BLOCK: String(scenario.startBlock),
    PAYER_KEY: scenario.key,
  }
  await scenario.deposit(alice, 'USDT', 1_000n * WHOLE)
  const before = await scenario.balanceOn('USDT', alice)

  const done = async () => (await db.selectFrom('withdrawal').select('id').where('state', '=', 'done').execute()).length
  const mining = new AbortController()
  const mine = async () => {
    while (!mining.signal.aborted) {
      await chain.client.mine({ blocks: 1 })
      await sleep(120)
    }
  }
  const lives: number[] = []
  const live = async () => {
    try {
      for (let kills = 0; kills < KILLS; kills++) {
        for (let nth = 0; nth < WITHDRAWALS / KILLS; nth++) await scenario.apply(alice, 'USDT', 10n * WHOLE)
        await using server = await startedServer(env)
        // What is under way at the kill differs: trials, signatures, sent transactions, credits.
        await sleep(Math.random() * 700)
        await server.end('SIGKILL')
        lives.push(await done())
      }
      await using last = new Server(env)
      for (let wait = 0; wait < 600 && (await done()) < WITHDRAWALS; wait++) {
        if (last.isGone) throw new Error(`the last server ended: ${last.output}`)
        await sleep(50)
      }
      await last.end('SIGTERM')
      expect(last.output).not.toContain(scenario.key.slice(2))
    } finally {
      mining.abort()
    }
  }
  await Promise.all([live(), mine()])
  process.stdout.write(`kill-payouts: done after each life: ${lives.join(' ')}\n`)
  expect(await done()).toBe(WITHDRAWALS)
  expect(new Set(lives).size).toBeGreaterThan(KILLS / 4)
  expect((await scenario.balanceOn('USDT', alice)) - before).toBe(BigInt(WITHDRAWALS) * 9n * WHOLE)
  await scenario.follow()
  expect(await scenario.reconcile()).toMatchObject({ finding: null })
  await scenario.expectSound()
}, 180_000)

test('a key that the contract does not let pay ends the start with one line, and is not in it', async () => {
  await using chain = await startTestChain()
  await using scenario = await startPayoutScenario(chain)
  await using cache = await temporaryFolder()
  const key = `0x${'5'.repeat(64)}`
  const env = {
    ...(await environmentOf(chain, { url: scenario.url }, cache.path)),
    GATEWAY_ADDRESS: scenario.gateway,
    START_BLOCK: String(scenario.startBlock),
    PAYER_KEY: key,
  }
  await using server = new Server(env)
  expect(await server.exited).toBe(1)
  expect(server.output).toMatch(/candela: the payer's key belongs to 0x[0-9a-f]{40}, and the contract lets 0x/)
  expect(server.output).not.toContain('5555555555')
})
