/**
 * How many events a minute the verifier reads and checks: a chain of days with payments in USDT (each a payment and a
 * transfer) behind a node of its own process, by HTTP as always. Ends with 1 when the aim is missed.
 *
 *   npx node tests/bench/verify.ts [--payments 100000]
 */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters, numberToHex, parseAbiParameters } from 'viem'
import { readChain } from '../../verify/sources/chain-facts.ts'
import { checkArrivals, checkPayments } from '../../verify/checks/payments.ts'
import { asTopic, topics } from '../../verify/events.ts'
import { createReport } from '../../verify/report.ts'
import { openRpc } from '../../verify/sources/rpc.ts'
import { openFolder } from '../../verify/sources/saved.ts'
import { print, seconds } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const AIM_A_MINUTE = 100_000
const PAYMENTS_A_BLOCK = 5
const BLOCK_S = 30
const STARTED_S = Date.UTC(2026, 0, 1) / 1_000

const { values: flags } = readFlags(import.meta.filename, {
  options: { payments: { type: 'string', default: '100000' }, node: { type: 'boolean', default: false } },
})
const payments = Number(flags.payments)
const blocks = Math.ceil(payments / PAYMENTS_A_BLOCK)

const address = (digits: string) => `0x${digits.repeat(20)}` as const
const contracts = { gateway: address('a1'), usdt: address('b2'), hash: address('c3') }
const payer = address('d4')

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

if (flags.node) serveChain()
else await measure()

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, ['--node', '--payments', String(payments)])
  const folder = await mkdtemp(join(tmpdir(), 'candela-bench-verify-'))
  try {
    const port = await new Promise<number>((resolve) => child.once('message', (sent) => resolve(Number(sent))))
    const source = { rpc: openRpc(`http://127.0.0.1:${port}`), folder: openFolder(folder), progress: () => undefined }
    const report = createReport(() => undefined)
    let events = 0
    const took_s = await seconds(async () => {
      const chain = await readChain(source, contracts, { from: 0, depth: 64, since: null })
      events = chain.payments.length + chain.arrived.length
      checkArrivals(report, chain)
      for (const span of chain.days) {
        const count = (span.last - span.first + 1) * PAYMENTS_A_BLOCK
        const nothing = { count: 0, amount: '0' }
        const figures = (['JU', 'USDT', 'HASH'] as const).map((asset) => ({
          asset,
          received: asset === 'USDT' ? { count, amount: String(count) } : nothing,
          paid: nothing,
        }))
        checkPayments(report, chain, span, { day: span.day, payments: figures, fund: [], prices: [] })
      }
    })
    const different = report.lines.filter(({ result }) => result !== 'agrees')
    if (events !== 2 * payments || different.length > 0)
      throw new Error(`${events} events, ${JSON.stringify(different)}`)
    const aMinute = (events / took_s) * 60
    print(`${events} events in ${took_s.toFixed(1)} s: ${Math.round(aMinute)} a minute, aim ${AIM_A_MINUTE}`)
    if (aMinute < AIM_A_MINUTE) process.exitCode = 1
  } finally {
    child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** As much of a node as the verifier asks. */
function serveChain(): void {
  const whole = 10n ** 18n
  const data = {
    payment: encodeAbiParameters(parseAbiParameters('address[], uint256[], string, address[]'), [
      [contracts.usdt],
      [whole],
      'deposit:1',
      [payer, payer],
    ]),
    transfer: encodeAbiParameters(parseAbiParameters('uint256'), [whole]),
  }
  const logsOf = (block: number, isToken: boolean) =>
    Array.from({ length: PAYMENTS_A_BLOCK }, (_, nth) => ({
      address: isToken ? contracts.usdt : contracts.gateway,
      topics: isToken ? [topics.transfer, asTopic(payer), asTopic(contracts.gateway)] : [topics.payment],
      data: isToken ? data.transfer : data.payment,
      blockNumber: numberToHex(block),
      blockHash: hashOf(block),
      transactionHash: hashOf(block * PAYMENTS_A_BLOCK + nth),
      logIndex: numberToHex(2 * nth + (isToken ? 0 : 1)),
    }))
  const answerTo = (method: string, [first]: unknown[]): unknown => {
    if (method === 'eth_getBlockByNumber') {
      const number = first === 'latest' ? blocks - 1 : Number(first)
      return { number: numberToHex(number), hash: hashOf(number), timestamp: numberToHex(STARTED_S + number * BLOCK_S) }
    }
    if (method !== 'eth_getLogs') throw new Error(`the verifier asks ${method}`)
    const { fromBlock, toBlock, address: wanted } = first as Record<string, unknown>
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    return Array.from({ length: to - from + 1 }, (_, nth) => logsOf(from + nth, Array.isArray(wanted))).flat()
  }
  const server = createServer((request, response) => {
    const reply = (parts: Buffer[]) => {
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString()) as {
        id: number
        method: string
        params: unknown[]
      }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answerTo(method, params) }))
    }
    request.toArray().then(reply, () => response.destroy())
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
