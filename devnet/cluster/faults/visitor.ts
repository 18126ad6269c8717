import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { setTimeout as sleep } from 'node:timers/promises'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { codes } from '@candela/protocol/codes/codes'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Hex } from 'viem'
import { callServer } from '../../../server/test/faults/kill-workload.ts'
import { ANSWER_MS, enter, newVisitor } from './people.ts'

/** How often something was answered, and refused. */
export type Visits = { signIns: number; reads: number; refused: number }

/** Somebody without money, who signs in again and again, reads, and asks for transfers that have to be refused. */
export class Visitor {
  readonly visits: Visits = { signIns: 0, reads: 0, refused: 0 }
  private readonly base: string
  private readonly to: Hex
  private readonly gateway: Hex
  private readonly print: (line: string) => void
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private requests = 0
  private visitor = newVisitor()

  /** @param print told at once when something is wrong, so that it is known during which loss */
  constructor(base: string, to: Hex, gateway: Hex, print: (line: string) => void) {
    this.base = base
    this.to = to
    this.gateway = gateway
    this.print = print
  }

  start(): void {
    this.running = this.run()
    this.running.catch((error: unknown) => this.print(`the visitor was told ${String(error)}`))
  }

  /** @throws what was answered and is wrong */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await sleep(200)
      const token = await enter(this.base, this.visitor)
      if (token === null) {
        // It may still be carried out, and then ends the other sessions of its account, because it has `replace`.
        this.visitor = newVisitor()
        continue
      }
      this.visits.signIns += 1
      const read = await callServer(this.base, 'GET user/info', {}, token, ANSWER_MS)
      if (read !== null) this.expectCode(read, codes.ok)
      if (read !== null) this.visits.reads += 1
      const refused = await callServer(this.base, 'POST transfer/index', await this.impossible(), token, ANSWER_MS)
      if (refused !== null) this.expectCode(refused, codes.notEnoughBalance)
      if (refused !== null) this.visits.refused += 1
    }
  }

  private expectCode(answer: { code: number; message: string }, code: number): void {
    if (answer.code !== code) throw new Error(`${answer.code} ${answer.message} instead of ${code}`)
  }

  private async impossible(): Promise<Record<string, string>> {
    const { account, address } = this.visitor
    const { to, gateway } = this
    const requestId = requestIdNamed(`refused-${++this.requests}`, new Date())
    const deadline = new Date(Date.now() + 500_000)
    const terms = { from: address, to, asset: 'USDT', amount: WHOLE_UNIT, requestId, deadline } as const
    const signature = await account.signTypedData(transferTypedData(terms, gateway))
    return { to, asset: 'USDT', amount: '1', requestId, deadline: deadline.toISOString(), signature }
  }
}
