import { openClient } from '@candela/client/client'
import { ApiError } from '@candela/client/errors'
import { DAY_MS } from '@candela/protocol/units'
import { transaction } from '@candela/server/db/open'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { type ApiScenario, startApiScenario } from './api-scenario.ts'

/** The client package against the whole server: through envelopes, and where something goes wrong on the way. */

const sender = privateKeyToAccount(generatePrivateKey())
const recipient = privateKeyToAccount(generatePrivateKey())
let api: ApiScenario

beforeAll(async () => {
  api = await startApiScenario(recipient.address.toLowerCase())
  const id = await addMember(api.db, sender.address.toLowerCase())
  const debit = platformAccount('custody', 'USDT')
  const legs = [{ debit, credit: memberAccount(id, 'memberAvailable', 'USDT'), amount: 100n * WHOLE }]
  const deposit = { id: randomUUID(), kind: 'deposit' as const, legs, memo: testMemo(), occurredAt: new Date() }
  await transaction(api.db, (tx) => post(tx, deposit))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const terms = { to: recipient.address, asset: 'USDT', amount: 2n * WHOLE } as const

test('signs in, transfers, and reads the list page after page', async () => {
  const client = openClient({ origin: api.url })
  await client.signIn(sender)
  for (let nth = 0; nth < 3; nth += 1) await client.transfer(sender, { ...terms, requestId: client.requestId() })
  const lines = []
  for await (const line of client.items('GET transfer/list', { limit: '2' })) lines.push(line)
  expect(lines.map(({ direction, amount }) => `${direction} ${amount}`)).toEqual(['out 2', 'out 2', 'out 2'])
  // Another client goes on with the token alone.
  const { uid } = await openClient({ origin: api.url, token: client.token() }).call('GET user/info', {})
  expect(uid).not.toBe('')
})

test.each([DAY_MS, -DAY_MS])('works on a device whose clock is %d ms off', async (off_ms) => {
  const client = openClient({ origin: api.url, now: () => Date.now() + off_ms })
  await client.signIn(sender)
  await client.transfer(sender, { ...terms, requestId: client.requestId() })
  await client.call('POST auth/logout', {})
  expect(Math.abs(client.serverNow() - Date.now())).toBeLessThan(2_000)
})

test('a command whose answer is lost is done once, and answered by the repetition', async () => {
  let lost = 0
  const client = openClient({
    origin: api.url,
    envelope: false,
    async fetch(url, init) {
      const answer = await fetch(url, init)
      if (lost > 0 || !answer.url.endsWith('transfer/index')) return answer
      await answer.text()
      lost += 1
      throw new TypeError('the connection was closed')
    },
  })
  await client.signIn(sender)
  const before = await client.call('GET transfer/list', {})
  const { transfer } = await client.transfer(sender, { ...terms, requestId: client.requestId() })
  const after = await client.call('GET transfer/list', {})
  expect(lost).toBe(1)
  expect(after.items[0]).toEqual(transfer)
  expect(after.items[1]).toEqual(before.items[0])
})

test('a refusal has its code, and names the call', async () => {
  const client = openClient({ origin: api.url })
  const refusal = await client.call('GET user/info', {}).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ code: 401, message: expect.stringContaining('GET user/info') as string })
})
