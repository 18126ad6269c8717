/** Ponder (https://ponder.sh), an indexer of chains in Node, told to record the same payments as the follower, for `tests/bench/follower.ts`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '@candela/testing/process/ports'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { Address } from 'viem'

type Task = { folder: string; rpcUrl: string; gateway: Address; startBlock: bigint; databaseUrl: string }

const files = {
  'ponder.config.ts': `
import { createConfig } from 'ponder'
const { DATABASE_URL, GATEWAY, RPC_URL, START_BLOCK, GATEWAY_ABI } = process.env
export default createConfig({
  database: { kind: 'postgres', connectionString: DATABASE_URL },
  chains: { here: { id: 210000, rpc: RPC_URL, pollingInterval: 500 } },
  contracts: { Gateway: { chain: 'here', abi: JSON.parse(GATEWAY_ABI), address: GATEWAY, startBlock: Number(START_BLOCK) } },
})`,
  'ponder.schema.ts': `
import { onchainTable } from 'ponder'
export const payment = onchainTable('payment', (t) => ({
  id: t.text().primaryKey(), block: t.bigint().notNull(), at: t.bigint().notNull(), token: t.text().notNull(),
  amount: t.bigint().notNull(), remark: t.text().notNull(), payer: t.text().notNull(), customer: t.text().notNull(),
}))`,
  'src/index.ts': `
import { ponder } from 'ponder:registry'
import { payment } from 'ponder:schema'
ponder.on('Gateway:TransactionDetails', async ({ event, context }) => {
  const { tokenAddress: [token], amount: [amount], remark, customerAddress: [payer, customer] } = event.args
  const { number: block, timestamp: at } = event.block
  await context.db.insert(payment).values({ id: event.id, block, at, token, amount, remark, payer, customer })
})`,
  'src/api/index.ts': `
import { Hono } from 'hono'
export default new Hono()`,
}

/** It says this when it begins to read the chain, and when all that was there is recorded. */
const BEGINS = 'Started backfill indexing'
const ENDS = 'Completed backfill indexing'

/**
 * Seconds from where Ponder begins to read the chain until all is in its table: its start and its build do not count.
 * @param folder where npm has installed ponder, hono and viem
 * @throws Error when it ends before, with what it wrote last
 */
export async function recordWithPonder({ folder, rpcUrl, gateway, startBlock, databaseUrl }: Task): Promise<number> {
  const project = join(folder, 'candela-bench')
  await rm(project, { recursive: true, force: true })
  await mkdir(join(project, 'src/api'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text)
  const main = join(folder, 'node_modules/ponder/dist/esm/bin/ponder.js')
  const args = ['start', '--root', project, '--schema', 'ponder_bench', '--port', String(await freePort())]
  const child = spawn(process.execPath, [main, ...args, '--log-format', 'json'], {
    cwd: project,
    env: {
      PATH: process.env['PATH'] ?? '',
      PONDER_TELEMETRY_DISABLED: 'true',
      DATABASE_URL: databaseUrl,
      RPC_URL: rpcUrl,
      GATEWAY: gateway,
      GATEWAY_ABI: JSON.stringify(paymentGatewayAbi),
      START_BLOCK: String(startBlock),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let began_ms: number | undefined
  const last: string[] = []
  try {
    for await (const line of createInterface(child.stdout)) {
      last.push(line)
      if (line.includes(BEGINS)) began_ms ??= performance.now()
      if (line.includes(ENDS) && began_ms !== undefined) return (performance.now() - began_ms) / 1000
    }
    throw new Error(`Ponder has ended: ${last.slice(-5).join('\n')}`)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
