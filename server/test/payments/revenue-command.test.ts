import { startTestChain, type TestChain } from '../testing/chain.ts'
import { loadSigner } from '@candela/server/chain/signer'
import { Secret } from '@candela/server/kernel/secret'
import type { OperatorKey } from '@candela/server/operator/signing/operator-key'
import { startOperators } from '@candela/server/operator/testing-operators'
import { WHOLE } from '@candela/server/modules/power/testing'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

/** An operator with HASH on the chain of a scenario. */
async function startOperator() {
  const scenario = await startScenario(chain)
  const key = generatePrivateKey()
  const address = privateKeyToAddress(key)
  await chain.client.setBalance({ address, value: 10n * WHOLE })
  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [address, 500n * WHOLE] } as const
  await chain.send(chain.payers[0] as Hex, chain.hash, encodeFunctionData(transfer))
  await chain.mine()
  const { type, keys } = await startOperators(scenario.url, scenario.clock, {
    openChain: () =>
      Promise.resolve({
        client: chain.client,
        gateway: chain.gateway,
        hash: chain.hash,
        signer: () => loadSigner({ kind: 'value', value: new Secret(key) }),
      }),
    seenWithin_ms: 0,
  })
  const candela = (...line: string[]) => type(keys.get('ada') as OperatorKey, ...line)
  const nonce = () => chain.client.getTransactionCount({ address })
  return { ...scenario, candela, nonce }
}

test('what cannot be a day’s revenue is refused before anything is sent', async () => {
  await using operator = await startOperator()
  const { candela, clock } = operator
  const today = clock.now().toISOString().slice(0, 10)
  const tomorrow = new Date(clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
  const post = (day: string, amount: string) => candela('revenue', 'post', '--day', day, '--amount', amount)
  await expect(post(tomorrow, '5')).rejects.toThrow(`${tomorrow} has not begun`)
  await expect(post('2026-02-30', '5')).rejects.toThrow('2026-02-30')
  await expect(post(today, '0')).rejects.toThrow('"0" is not an amount of HASH')
  await expect(post(today, '-5')).rejects.toThrow('"-5" is not an amount of HASH')
  await expect(post(today, '5,5')).rejects.toThrow('"5,5" is not an amount of HASH')
  await expect(post(today, '500.000000000000000001')).rejects.toThrow('holds less than the amount')
  expect(await operator.nonce()).toBe(0)
})

test('a second deposit for the same day is refused until it is asked for in so many words', async () => {
  await using operator = await startOperator()
  const { candela, clock, mineAndFollow } = operator
  const today = clock.now().toISOString().slice(0, 10)
  const mining = setInterval(() => void chain.client.mine({ blocks: 1 }), 200)
  try {
    expect(await candela('revenue', 'post', '--day', today, '--amount', '12.5')).toMatchObject({ code: 0 })
  } finally {
    clearInterval(mining)
  }
  // Approved exactly, then deposited.
  expect(await operator.nonce()).toBe(2)
  await mineAndFollow(3)
  await expect(candela('revenue', 'post', '--day', today, '--amount', '12.5')).rejects.toThrow(
    `12.5 HASH were deposited for ${today} by`,
  )
  expect(await operator.nonce()).toBe(2)
  const acts = await operator.db
    .selectFrom('operator_audit')
    .select('command')
    .where('command', 'like', 'revenue%')
    .orderBy('id')
    .execute()
  expect(acts.map(({ command }) => command)).toEqual(['revenue post', 'revenue posted'])
})
