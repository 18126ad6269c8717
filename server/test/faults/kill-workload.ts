import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { codes } from '@candela/protocol/codes/codes'
import { openClient, type Signer } from '@candela/client/client'
import { ApiError } from '@candela/client/errors'
import type { Data, Key } from '@candela/protocol/endpoints'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { must } from '@candela/server/kernel/assert'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { WHOLE } from '@candela/server/modules/power/testing'
import type { Hex, LocalAccount } from 'viem'
import type { Random } from '../../simulate/run/random.ts'

export type Client = {
  account: LocalAccount & Signer
  address: Hex
  memberId: bigint
  token: string
  /** An address without a member's account, from which this client also pays. */
  stranger: Hex
}

/** A command that the server has acknowledged, with the number that it returned. */
export type Acknowledged = {
  key: CommandKey
  client: Client
  input: Record<string, string>
  number: string
}
export type CommandKey = 'POST withdraw/apply' | 'POST deposit/getOrder' | 'POST power/getOrder' | 'POST transfer/index'
type Command = { key: CommandKey; input: Record<string, string> }

type Body = { code: number; message: string; data: unknown }

/** Answers that say that the same call may succeed in a moment; the chain is behind while nobody has followed it. */
const tryAgain: ReadonlySet<number> = new Set([
  codes.ourFault,
  codes.slowDown,
  codes.withdrawalsPaused,
  codes.chainBehind,
])

/**
 * Sends one HTTP call. Returns null without a response within `answer_ms`, or when the response tells the client to try
 * again.
 */
export async function callServer(
  base: string,
  key: Key,
  input: Record<string, string>,
  token?: string,
  answer_ms: number = HANGS_AFTER_MS,
): Promise<Body | null> {
  const once = { timeoutMs: answer_ms, retries: 0, rateLimitRetries: 0 }
  const client = openClient({ origin: base, token: token ?? '', envelope: false, ...once })
  try {
    return { code: codes.ok, message: '', data: await client.call(key, input) }
  } catch (error) {
    if (error instanceof ApiError && !tryAgain.has(error.code)) {
      return { code: error.code, message: error.message, data: null }
    }
    // No connection, a connection that was closed, or an incomplete response.
    return null
  }
}

/** Signs in over HTTP; the client keeps the token. */
export async function signIn(base: string, client: Pick<Client, 'account' | 'address' | 'token'>): Promise<void> {
  const own = openClient({ origin: base, envelope: false })
  await own.signIn(client.account)
  client.token = own.token()
}

/** The chain that clients pay on. */
export type PaymentChain = Pick<TestChain, 'gateway' | 'hash' | 'usdt' | 'pay' | 'send'>

type WorkloadParts = {
  base: string
  chain: PaymentChain
  /** Mines a block; called every tenth of a second. Null where blocks come by themselves. */
  mine: (() => Promise<unknown>) | null
  clients: readonly Client[]
  planId: bigint
  random: Random
  /** A client's longest pause between two commands. */
  pause_ms?: number
  /** After so long without a response a command is repeated, while the first may still be under way. */
  answer_ms?: number
}

/** Clients that pay on chain and send money commands over HTTP, and that repeat a command without a response. */
export class Workload {
  readonly acknowledged: Acknowledged[] = []
  /** The expected outcome of each payment, by transaction hash. */
  readonly outcomes = new Map<string, 'order' | 'balance' | 'suspense'>()
  /** Number of calls without a response. */
  lostAnswers = 0
  private readonly parts: WorkloadParts
  private readonly stopping = new AbortController()
  private running: Promise<unknown> = Promise.resolve()
  private requests = 0
  private onAcknowledged: ((sent_ms: number) => void) | null = null

  constructor(parts: WorkloadParts) {
    this.parts = parts
  }

  start(): void {
    const { clients, mine } = this.parts
    const running = clients.map((client) => this.runClient(client))
    this.running = Promise.all([...running, ...(mine === null ? [] : [this.mineRepeatedly(mine)])])
    this.running.catch(() => this.stopping.abort())
  }

  /** @throws the first error of a client */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /** Resolves with the time at which a command sent at `since_ms` or later was acknowledged. */
  async firstAcknowledged(since_ms: number): Promise<number> {
    const first = Promise.withResolvers<number>()
    this.onAcknowledged = (sent_ms) => {
      if (sent_ms >= since_ms) first.resolve(performance.now())
    }
    // The workload also ends when a client fails; then nothing is acknowledged any more.
    const failed = this.running.then(() => Promise.reject(new Error('the workload has ended')))
    return Promise.race([first.promise, failed])
  }

  /** Resolves when so many more commands are acknowledged, or when the load has ended. */
  async untilAcknowledged(more: number): Promise<void> {
    const goal = this.acknowledged.length + more
    while (this.acknowledged.length < goal && !this.stopping.signal.aborted) await sleep(5)
  }

  private async mineRepeatedly(mine: () => Promise<unknown>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await mine()
      await sleep(100)
    }
  }

  private async runClient(client: Client): Promise<void> {
    const { random, pause_ms = 44 } = this.parts
    while (!this.stopping.signal.aborted) {
      if (random.chance(0.2)) await this.payUnrequested(client)
      else await this.execute(client, await this.command(client))
      await sleep(5 + random.below(pause_ms - 4))
    }
  }

  private command(client: Client): Promise<Command> | Command {
    const { random, planId } = this.parts
    const requestId = requestIdNamed(`request-${++this.requests}`, new Date())
    const asset = random.pick(['USDT', 'HASH'] as const)
    const whole = BigInt(5 + random.below(5))
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
    return makes[random.weighted({ withdraw: 2, deposit: 3, order: 3, transfer: 4 })]()
  }

  private async transfer(
    client: Client,
    { asset, amount, requestId }: { asset: 'USDT' | 'HASH'; amount: bigint; requestId: string },
  ): Promise<Command> {
    const { random, clients, chain } = this.parts
    const to = random.pick(clients.filter((other) => other !== client)).address
    const deadline = new Date(Date.now() + 500_000)
    const terms = { from: client.address, to, asset, amount: amount * WHOLE, requestId, deadline }
    const signature = await client.account.signTypedData(transferTypedData(terms, chain.gateway))
    const input = { to, asset, amount: String(amount), requestId, deadline: deadline.toISOString(), signature }
    return { key: 'POST transfer/index', input }
  }

  /** Repeats a command until there is a response; some are sent only once. */
  private async execute(client: Client, { key, input }: Command): Promise<void> {
    const { base, random, answer_ms } = this.parts
    const attempts = random.chance(0.1) ? 1 : Number.POSITIVE_INFINITY
    for (let tries = 0; tries < attempts && !this.stopping.signal.aborted; tries++) {
      const sent_ms = performance.now()
      const body = await callServer(base, key, input, client.token, answer_ms)
      if (body === null) {
        this.lostAnswers += 1
        await sleep(25)
        continue
      }
      if (body.code !== 200) throw new Error(`${key} ${JSON.stringify(input)}: ${body.code} ${body.message}`)
      this.onAcknowledged?.(sent_ms)
      this.acknowledged.push({ key, client, input, number: numberOf(key, body.data) })
      return this.payRequested(client, body.data)
    }
  }

  /** Pays an order exactly, with another amount, or not at all. */
  private async payRequested(client: Client, data: unknown): Promise<void> {
    const { chain, random } = this.parts
    const { deposit, order, transaction } = data as Partial<Data<'POST deposit/getOrder'> & Data<'POST power/getOrder'>>
    const requested = order === undefined ? transaction : must(order.transaction, 'a new order can be paid')
    if (requested === undefined) return
    const paid = deposit === undefined ? 'order' : 'balance'
    switch (random.weighted({ exact: 7, other: 2, nothing: 1 })) {
      case 'exact':
        this.expect(
          await chain.send(client.address, requested.to as Hex, requested.data as Hex, BigInt(requested.value)),
          paid,
        )
        return
      case 'other': {
        const own = order === undefined ? {} : { key: 'buyPower' as const, reference: order.orderNo }
        this.expect(await chain.pay({ ...own, amount: this.amount(), from: client.address }), 'balance')
        return
      }
      case 'nothing':
    }
  }

  /** Sends a payment that no order is waiting for. */
  private async payUnrequested({ address, stranger }: Client): Promise<void> {
    const { chain, random } = this.parts
    const amount = this.amount()
    switch (random.weighted({ token: 2, native: 2, stranger: 1, noOrder: 1 })) {
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

  /** No dust, which would wait for the end of its day. */
  private amount = (): bigint => 2n * 10n ** 16n + BigInt(this.parts.random.below(1_000_000))

  expect(hash: Hex, outcome: 'order' | 'balance' | 'suspense'): void {
    this.outcomes.set(hash, outcome)
  }
}

/** The number that the server has given to a command. */
export function numberOf(key: CommandKey, data: unknown): string {
  const { withdrawal, deposit, order, transfer } = data as Partial<
    Record<'withdrawal' | 'deposit' | 'order' | 'transfer', Record<string, string>>
  >
  const number =
    withdrawal?.['withdrawalNo'] ?? deposit?.['depositNo'] ?? order?.['orderNo'] ?? transfer?.['transferNo']
  return must(number, `${key} answers with a number`)
}
