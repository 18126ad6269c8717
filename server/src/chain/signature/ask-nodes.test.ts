import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { patientClient } from '@candela/testing/chain/test-chain'
import { startFaultyProxy } from '@candela/testing/proxies/faulty-proxy'
import { type LieAbout, otherResults, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { factoryInit, signAsWallet, walletInit } from '@candela/testing/wallets/contract-wallet'
import {
  createWalletClient,
  getContractAddress,
  hashMessage,
  type Hex,
  http,
  padHex,
  serializeErc6492Signature,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { type ChainClient, createChainClient } from '../client.ts'
import type { NodeHealth } from '../nodes/health.ts'
import { askContractByMajority } from './ask-contract.ts'

const network = {
  chainId: '0x33450',
  chainName: 'test',
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: [],
  blockExplorerUrls: [],
}
const digest = hashMessage('send everything to a stranger')
const clientOf = (rpcUrl: string) => createChainClient({ network, rpcUrl, ...patientClient, retries: 0 })
const node = (client: ChainClient, health: Partial<NodeHealth> = {}) => ({
  client,
  health: (): NodeHealth => ({ condition: 'ok', since: null, counts: true, ...health }),
})

let anvil: Anvil
let honest: ChainClient
let factory: Hex
beforeAll(async () => {
  anvil = await startAnvil()
  honest = clientOf(anvil.url)
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  const sender = createWalletClient({ account, chain: honest.chain, transport: http(anvil.url) })
  const hash = await sender.sendTransaction({ data: factoryInit })
  const { contractAddress } = await honest.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  factory = must(contractAddress ?? undefined, 'the factory was deployed')
})
afterAll(() => anvil.stop())

/** A node that says of every contract that it accepts. */
const accepting: LieAbout = otherResults(({ method }) =>
  method === 'eth_call' ? `0x1626ba7e${'00'.repeat(28)}` : undefined,
)
/** A node that says of every contract that it does not. */
const refusing: LieAbout = otherResults(({ method }) => (method === 'eth_call' ? `0x${'00'.repeat(32)}` : undefined))

/** A stranger sends this in the name of somebody who has a plain key and signed nothing. */
const forged = () => ({
  address: privateKeyToAccount(padHex('0x2a', { size: 32 })).address.toLowerCase() as Hex,
  digest,
  signature: serializeErc6492Signature({ address: factory, data: walletInit, signature: '0x11' }),
})
/** By the owner of a wallet that is not deployed yet. */
const genuine = () => ({
  address: getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: padHex('0x00', { size: 32 }),
    bytecode: walletInit,
  }),
  digest,
  signature: serializeErc6492Signature({ address: factory, data: walletInit, signature: signAsWallet(digest) }),
})

test('one node of several signs in the name of nobody, and takes nobody’s signature away', async () => {
  await using yes = await startLyingProxy(anvil.url, accepting)
  await using no = await startLyingProxy(anvil.url, refusing)
  // The one answer is enough where there is one node.
  expect(await askContractByMajority([node(clientOf(yes.url))])(forged())).toBe(true)
  const [liar, sceptic, well] = [node(clientOf(yes.url)), node(clientOf(no.url)), node(honest)]
  expect(await askContractByMajority([liar, well, well])(forged())).toBe(false)
  expect(await askContractByMajority([sceptic, well, well])(genuine())).toBe(true)
  for (const signed of [forged(), genuine()])
    await expect(askContractByMajority([liar, sceptic])(signed)).rejects.toMatchObject({ failure: 'badAnswer' })
  expect(
    await askContractByMajority([liar, { ...liar, ...node(clientOf(yes.url), { counts: false }) }, sceptic, well])(
      forged(),
    ),
  ).toBe(false)
})

test('while so many nodes are silent that the others decide nothing, it is not known', async () => {
  await using silent = await startFaultyProxy(anvil.url, () => 'refuse')
  const [away, well] = [node(clientOf(silent.url)), node(honest)]
  expect(await askContractByMajority([away, well, well])(genuine())).toBe(true)
  for (const nodes of [[away, well], [away, away, well], [away]])
    await expect(askContractByMajority(nodes)(genuine())).rejects.toMatchObject({ name: 'RpcError' })
  expect(await askContractByMajority([node(clientOf(silent.url), { counts: false }), well])(genuine())).toBe(true)
})
