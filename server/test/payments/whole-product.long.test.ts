import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, Key } from '@candela/protocol/endpoints'
import { utcDay } from '@candela/protocol/calendar'
import { toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { must } from '@candela/server/kernel/assert'
import { transaction } from '@candela/server/db/open'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { addPlan } from '@candela/server/modules/power/testing'
import { requestAttestation } from '@candela/server/modules/proof/attest/request-attestation'
import { loadEdr } from '@candela/testing/chain/hardhat'
import { attesterKey, payerKey, startTestChain } from '@candela/testing/chain/test-chain'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { environmentOf, Server } from '@candela/testing/server/server-process'
import { erc20Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { callServer } from '../faults/kill-workload.ts'
import { join } from '../release/people.ts'

const edr = await loadEdr()
/** Kinds of nodes that no other test runs the real server on; null is a chain whose node is not installed. */
const nodes = [
  { name: 'anvil with the forks up to Istanbul', options: { hardfork: 'istanbul' } },
  { name: 'Hardhat Network', options: edr && { edr } },
]

test.for(nodes)(
  'sign-in, deposit, purchase, payout, prices and attestation on $name',
  async ({ options }, { skip }) => {
    if (options === null) {
      skip('npm has not installed this node')
      return
    }
    await using chain = await startTestChain(options)
    await using database = await disposable()
    const { db } = database
    const settings = await environmentOf(chain, database)
    const env = {
      ...settings,
      PAYER_KEY: payerKey,
      ATTESTER_KEY: attesterKey,
      PRICE_INTERVAL_S: '1',
      RECONCILE_INTERVAL_S: '5',
    }
    const planId = await addPlan(db)
    await using server = new Server(env)
    await server.listening
    const base = `http://127.0.0.1:${settings['PORT']}`
    const alice = await join(db, { server, base }, 1)
    const ask = async <K extends Key>(key: K, input: Record<string, string> = {}): Promise<Data<K> | null> => {
      const answer = await callServer(base, key, input, alice.token)
      return answer?.code === codes.ok ? (answer.data as Data<K>) : null
    }
    /** Blocks come until it is so. */
    const until = (fact: () => Promise<unknown>) =>
      expect.poll(async () => (await chain.mine(), fact()), { interval: 250 })
    let requests = 0
    const requestId = () => requestIdNamed(`whole-${++requests}`, new Date())
    const available = async (asset: string) =>
      (await ask('GET user/info'))?.balances.find((one) => one.asset === asset)?.available

    await chain.pay({ from: alice.address, amount: 100n * WHOLE_UNIT })
    await until(() => available('USDT')).toBe('100')

    await until(async () =>
      (await ask('GET user/priceInfo'))?.items.map(({ asset, paused, spot }) => [asset, paused, spot]),
    ).toEqual(
      expect.arrayContaining([
        ['JU', false, '1'],
        ['HASH', false, '1'],
      ]),
    )

    const ordered = await ask('POST power/getOrder', { planId: String(planId), units: '2', requestId: requestId() })
    const toPay = ordered?.order.transaction
    await chain.send(alice.address, toPay?.to as Hex, toPay?.data as Hex, BigInt(toPay?.value ?? 0))
    const order = async () => (await ask('GET power/orderList', { orderNo: ordered?.order.orderNo ?? '' }))?.items[0]
    await until(async () => (await order())?.state).toBe('active')

    const usdt = () =>
      chain.client.readContract({
        address: chain.usdt,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [alice.address],
      })
    const before = await usdt()
    const asked = { asset: 'USDT', amount: '40', requestId: requestId() }
    let withdrawal: Data<'POST withdraw/apply'>['withdrawal'] | undefined
    await until(async () => (withdrawal ??= (await ask('POST withdraw/apply', asked))?.withdrawal) !== undefined).toBe(
      true,
    )
    const { withdrawalNo, received } = must(withdrawal, 'it was asked for')
    const state = async () => (await ask('GET withdraw/list', { withdrawalNo }))?.items[0]?.state
    await until(state).toBe('done')
    expect((await usdt()) - before).toBe(toBaseUnits(received))

    await transaction(db, (tx) => requestAttestation(tx, utcDay(new Date()), new Date()))
    const attested = async () => (await ask('GET solvency/latest'))?.attestation
    await until(async () => (await attested())?.root.length).toBe(66)
    const { gateway: address } = chain
    const said = await chain.client.readContract({ address, abi: paymentGatewayAbi, functionName: 'lastAttestation' })
    expect((await attested())?.root).toBe(said.root)

    await server.end('SIGTERM')
    expect(await auditLedger(db)).toEqual([])
    const held = await chain.client.readContract({
      address: chain.usdt,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    })
    expect(-(await accountBalance(db, platformAccount('custody', 'USDT')))).toBe(held)
  },
)

async function disposable() {
  const database = await createTestDatabase()
  return { ...database, [Symbol.asyncDispose]: () => database.drop() }
}
