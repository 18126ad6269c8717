import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_ASSET } from '@candela/protocol/action-data'
import { endpointRoute } from '@candela/protocol/endpoint'
import type { Data, Key } from '@candela/protocol/endpoints'
import { transferTypedData } from '@candela/protocol/typed-data'
import type { TestChain } from '@candela/server/chain/testing-chain'
import { must } from '@candela/server/kernel/assert'
import { WHOLE } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'
import type { mnemonicToAccount } from 'viem/accounts'
import type { Choices } from '../../simulate/run/random.ts'

export type Client = {
  account: ReturnType<typeof mnemonicToAccount>
  address: Hex
  memberId: bigint
  token: string
  /** An account of nobody's that this client pays from, too. */
  stranger: Hex
}

/** A command that the server said it has done, with the number that it gave to it. */
export type Acknowledged = {
  key: CommandKey
  client: Client
  input: Record<string, string>
  number: string
}
export type CommandKey = 'POST withdraw/apply' | 'POST deposit/getOrder' | 'POST power/getOrder' | 'POST transfer/index'
type Command = { key: CommandKey; input: Record<string, string> }

type Body = { code: number; message: string; data: unknown }

/** Null when there is no answer that decides anything. */
export async function callServer(
  base: string,
  key: Key,
  input: Record<string, string>,
  token?: string,
): Promise<Body | null> {
  const { method, path } = endpointRoute(key)
  const form = new URLSearchParams(input)
  const headers = token === undefined ? {} : { authorization: token }
  try {
    const signal = AbortSignal.timeout(15_000)
    const response = await (method === 'GET'
      ? fetch(`${base}${path}?${form.toString()}`, { headers, signal })
      : fetch(`${base}${path}`, { method, body: form, headers, signal }))
    const body = (await response.json()) as Body
    return response.status === 200 && body.code !== 500 && body.code !== 429 ? body : null
  } catch {
    // No connection, a broken one, or half an answer.
    return null
  }
}

type LoadParts = {
  base: string
  chain: TestChain
  clients: readonly Client[]
  planId: bigint
  pick: Choices
}

/** People who pay on chain and give money commands over HTTP, and who ask again when they get no answer. */
export class Load {
  readonly acknowledged: Acknowledged[] = []
  /** What becomes of each payment, by the hash of its transaction. */
  readonly outcomes = new Map<string, 'order' | 'balance' | 'suspense'>()
  /** Calls that got no answer. */
  unanswered = 0
  private readonly parts: LoadParts
  private readonly stopping = new AbortController()
  private running: Promise<unknown> = Promise.resolve()
  private requests = 0
  private heard: ((sent_ms: number) => void) | null = null

  constructor(parts: LoadParts) {
    this.parts = parts
  }

  start(): void {
    const clients = this.parts.clients.map((client) => this.live(client))
    this.running = Promise.all([...clients, this.mine()])
    this.running.catch(() => this.stopping.abort())
  }

  /** @throws what any of the people ran into */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /** Resolves with the time at which a command sent at `since_ms` or later was acknowledged. */
  async firstAcknowledged(since_ms: number): Promise<number> {
    const first = Promise.withResolvers<number>()
    this.heard = (sent_ms) => sent_ms >= since_ms && first.resolve(performance.now())
    // Whoever fails ends all: then nobody would be heard any more.
    const failed = this.running.then(() => Promise.reject(new Error('the load has ended')))
    return Promise.race([first.promise, failed])
  }

  /** A block every tenth of a second. */
  private async mine(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.parts.chain.client.mine({ blocks: 1 })
      await sleep(100)
    }
  }

  private async live(client: Client): Promise<void> {
    const { pick } = this.parts
    while (!this.stopping.signal.aborted) {
      if (pick.chance(0.2)) await this.payUnasked(client)
      else await this.give(client, await this.command(client))
      await sleep(5 + pick.below(40))
    }
  }

  private command(client: Client): Promise<Command> | Command {
    const { pick, planId } = this.parts
    const requestId = `request-${++this.requests}`
    const asset = pick.one(['USDT', 'HASH'] as const)
    const whole = BigInt(5 + pick.below(5))
    const amount = String(whole)
    const makes: Record<'withdraw' | 'deposit' | 'order' | 'transfer', () => Command | Promise<Command>> = {
      withdraw: () => ({ key: 'POST withdraw/apply', input: { asset, amount, requestId } }),
      deposit: () => ({ key: 'POST deposit/getOrder', input: { asset, amount, requestId } }),
      order: () => ({
        key: 'POST power/getOrder',
        input: { planId: String(planId), units: '1', asset: 'USDT', requestId },
      }),
      transfer: () => this.transfer(client, { asset, amount: whole, requestId }),
    }
    return makes[pick.weighted({ withdraw: 2, deposit: 3, order: 3, transfer: 4 })]()
  }

  private async transfer(
    client: Client,
    { asset, amount, requestId }: { asset: 'USDT' | 'HASH'; amount: bigint; requestId: string },
  ): Promise<Command> {
    const { pick, clients, chain } = this.parts
    const to = pick.one(clients.filter((other) => other !== client)).address
    const deadline = new Date(Date.now() + 500_000)
    const terms = { from: client.address, to, asset, amount: amount * WHOLE, requestId, deadline }
    const signature = await client.account.signTypedData(transferTypedData(terms, chain.gateway))
    const input = { to, asset, amount: String(amount), requestId, deadline: deadline.toISOString(), signature }
    return { key: 'POST transfer/index', input }
  }

  /** Asks until there is an answer; now and then somebody gives up. */
  private async give(client: Client, { key, input }: Command): Promise<void> {
    const { base, pick } = this.parts
    const patience = pick.chance(0.1) ? 1 : Number.POSITIVE_INFINITY
    for (let tries = 0; tries < patience && !this.stopping.signal.aborted; tries++) {
      const sent_ms = performance.now()
      const body = await callServer(base, key, input, client.token)
      if (body === null) {
        this.unanswered += 1
        await sleep(25)
        continue
      }
      if (body.code !== 200) throw new Error(`${key} ${JSON.stringify(input)}: ${body.code} ${body.message}`)
      this.heard?.(sent_ms)
      this.acknowledged.push({ key, client, input, number: numberOf(key, body.data) })
      return this.payAsked(client, body.data)
    }
  }

  /** Pays what an order asks for, or something else, or nothing. */
  private async payAsked(client: Client, data: unknown): Promise<void> {
    const { chain, pick } = this.parts
    const { deposit, order, transaction } = data as Partial<Data<'POST deposit/getOrder'> & Data<'POST power/getOrder'>>
    const asked = order === undefined ? transaction : must(order.transaction, 'a new order can be paid')
    if (asked === undefined) return
    const paid = deposit === undefined ? 'order' : 'balance'
    switch (pick.weighted({ exact: 7, other: 2, nothing: 1 })) {
      case 'exact':
        this.expect(await chain.send(client.address, asked.to as Hex, asked.data as Hex, BigInt(asked.value)), paid)
        return
      case 'other': {
        const own = order === undefined ? {} : { key: 'buyPower' as const, reference: order.orderNo }
        this.expect(await chain.pay({ ...own, amount: this.amount(), from: client.address }), 'balance')
        return
      }
      case 'nothing':
    }
  }

  private async payUnasked({ address, stranger }: Client): Promise<void> {
    const { chain, pick } = this.parts
    const amount = this.amount()
    switch (pick.weighted({ token: 2, native: 2, stranger: 1, noOrder: 1 })) {
      case 'token':
        return this.expect(await chain.pay({ asset: chain.hash, amount, from: address }), 'balance')
      case 'native':
        return this.expect(await chain.send(address, chain.gateway, '0x', amount), 'balance')
      case 'stranger':
        return this.expect(await chain.pay({ asset: NATIVE_ASSET, amount, from: stranger }), 'suspense')
      case 'noOrder': {
        const call = { key: 'buyPower', reference: 'NO-SUCH-ORDER', amount, from: address } as const
        return this.expect(await chain.pay(call), 'balance')
      }
    }
  }

  private amount = (): bigint => 1n + BigInt(this.parts.pick.below(1_000_000))

  expect(hash: Hex, outcome: 'order' | 'balance' | 'suspense'): void {
    this.outcomes.set(hash, outcome)
  }
}

/** The number under which the server says that it has kept a command. */
export function numberOf(key: CommandKey, data: unknown): string {
  const { withdrawal, deposit, order, transfer } = data as Partial<
    Record<'withdrawal' | 'deposit' | 'order' | 'transfer', Record<string, string>>
  >
  const number =
    withdrawal?.['withdrawalNo'] ?? deposit?.['depositNo'] ?? order?.['orderNo'] ?? transfer?.['transferNo']
  return must(number, `${key} answers with a number`)
}
