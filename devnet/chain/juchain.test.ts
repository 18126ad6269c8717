import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { testAccounts } from '@candela/testing/chain/accounts'
import { must } from '@candela/server/kernel/assert'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploy } from '../deploy/deploy.ts'
import { type Chain, startChain } from './chain.ts'

const sender = must(testAccounts()[0], 'there are test accounts')
const recipient = '0x00000000000000000000000000000000000000aa'
const GWEI = 1_000_000_000n

let folder: string
let chain: Chain
let client: ReturnType<typeof createPublicClient>
const start = (rules: 'anvil' | 'juchain') =>
  startChain({ folder: join(folder, 'chain'), rich: sender.address, isTicking: false, rules })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-juchain-'))
  chain = await start('juchain')
  client = createPublicClient({ transport: http(chain.url, { retryCount: 0 }) })
})
afterAll(async () => {
  await chain.stop()
  await rm(folder, { recursive: true, force: true })
})

let nonce: number
async function send(fees: { gasPrice: bigint } | { maxFeePerGas: bigint }, to = recipient) {
  nonce = await client.getTransactionCount({ address: sender.address, blockTag: 'pending' })
  const terms = { chainId: CHAIN_ID, nonce, gas: 21_000n, to: to as `0x${string}`, ...fees }
  const serializedTransaction = await sender.account.signTransaction(terms as never)
  return client.sendRawTransaction({ serializedTransaction })
}

test('the contracts can be deployed, within the gas of its blocks', async () => {
  const file = join(folder, 'deployment.json')
  const { gateway } = await deploy({ rpcUrl: chain.url, file, mine: () => chain.mine() })
  expect((await client.getCode({ address: gateway }))?.length).toBeGreaterThan(10_000)
  const block = await client.getBlock()
  expect(block.baseFeePerGas ?? null).toBeNull()
  expect(block.gasLimit).toBe(30_000_000n)
})

test('transactions of the second kind, and such as offer less than 1 gwei, are refused', async () => {
  await expect(send({ maxFeePerGas: 10n * GWEI })).rejects.toThrow('transaction type not supported')
  await expect(send({ gasPrice: GWEI - 1n })).rejects.toThrow('transaction underpriced')
  const hash = await send({ gasPrice: GWEI })
  await chain.mine()
  expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
})

test('an address of the list gets nothing, from the moment it is in it', async () => {
  await appendFile(join(folder, 'chain', 'blocked'), `${recipient.toUpperCase().replace('0X', '0x')}\n`)
  await expect(send({ gasPrice: GWEI })).rejects.toThrow('in blacklist')
  await expect(send({ gasPrice: GWEI }, sender.address)).resolves.toMatch(/^0x/)
})

test('logs are limited by blocks and by calls; there are no methods for debugging', async () => {
  const range = (toBlock: bigint) => client.getLogs({ fromBlock: 0n, toBlock })
  await expect(range(1_001n)).rejects.toThrow('block range too large')
  await expect(client.request({ method: 'debug_traceTransaction' } as never)).rejects.toThrow('does not exist')
  const answers = await Promise.allSettled(Array.from({ length: 201 }, () => range(1n)))
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(100)
  expect(answers.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
})

test('a chain keeps its rules: with others it does not start', async () => {
  await chain.stop()
  await expect(start('anvil')).rejects.toThrow('a chain of other rules')
  chain = await start('juchain')
  expect(await client.getBlockNumber().catch(() => null)).toBeNull()
})
