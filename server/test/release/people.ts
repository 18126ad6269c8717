import { freePort } from '@candela/testing/process/ports'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import type { Key } from '@candela/protocol/endpoints'
import type { Database } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { callServer, type Client, signIn } from '../faults/kill-workload.ts'
import { Server } from '@candela/testing/server/server-process'
import type { TestChain } from '@candela/testing/chain/test-chain'

export type Person = Pick<Client, 'account' | 'address' | 'memberId' | 'token'>
export type Api = { server: Server; base: string }

/** A server that answers calls. @param program of another version than this one */
export async function startApi(env: Record<string, string>, program?: string): Promise<Api> {
  const PORT = String(await freePort())
  return startApiAt({ ...env, PORT }, program)
}

export async function startApiAt(env: Record<string, string>, program?: string): Promise<Api> {
  const server = new Server({ ...env, ROLE: 'api', PAYER_KEY: '', ATTESTER_KEY: '' }, program)
  await server.listening
  expect(server.output).toContain('"listening"')
  return { server, base: `http://127.0.0.1:${env['PORT']}` }
}

export async function startWorker(env: Record<string, string>, program?: string): Promise<Server> {
  const server = new Server({ ...env, ROLE: 'worker', METRICS_PORT: String(await freePort()) }, program)
  await server.listening
  return server
}

/** A member who signs in there. */
export async function join(db: Database, { base }: Api, addressIndex: number): Promise<Person> {
  const account = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
  const address = account.address.toLowerCase() as Hex
  const person = { account, address, memberId: await addMember(db, address), token: '' }
  await signIn(base, person)
  return person
}

/** @throws unless it is answered with code 200 */
export async function call<T>({ base }: Api, key: Key, input: Record<string, string>, { token }: Person): Promise<T> {
  const answer = must(await callServer(base, key, input, token), `${key} is answered by ${base}`)
  expect(answer).toMatchObject({ code: 200 })
  return answer.data as T
}

export type Transfer = { from: Person; to: Person; amount: number; requestId: string }

/** The input of `POST transfer/index`, signed. */
export async function transferInput({ gateway }: TestChain, { from, to, amount, requestId }: Transfer) {
  const deadline = new Date(Date.now() + 500_000)
  const terms = {
    from: from.address,
    to: to.address,
    asset: 'USDT',
    amount: BigInt(amount) * WHOLE,
    requestId,
    deadline,
  } as const
  const signature = await from.account.signTypedData(transferTypedData(terms, gateway))
  return {
    to: to.address,
    asset: 'USDT',
    amount: String(amount),
    requestId,
    deadline: deadline.toISOString(),
    signature,
  }
}

export async function usdtOf(api: Api, person: Person): Promise<number> {
  const { balances } = await call<{ balances: { asset: string; available: string }[] }>(
    api,
    'GET user/info',
    {},
    person,
  )
  return Number(balances.find(({ asset }) => asset === 'USDT')?.available)
}
