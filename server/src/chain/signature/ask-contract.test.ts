import { patientClient } from '@candela/testing/chain/test-chain'
import { startFaultyProxy } from '@candela/testing/proxies/faulty-proxy'
import { startAnvil, type Anvil } from '@candela/testing/chain/anvil'
import { createWalletClient, getContractAddress, hashMessage, http, padHex, serializeErc6492Signature } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainClient, createChainClient } from '../client.ts'
import { factoryInit, signAsWallet, walletInit } from '@candela/testing/wallets/contract-wallet'
import { askContractOn } from './ask-contract.ts'

const sign = (message: string) => signAsWallet(hashMessage(message))
const askedOf = (address: `0x${string}`, message: string, signature: `0x${string}`) => ({
  address,
  digest: hashMessage(message),
  signature,
})

const network = {
  chainId: '0x33450',
  chainName: 'test',
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: [],
  blockExplorerUrls: [],
}

let anvil: Anvil
let client: ChainClient
let wallet: `0x${string}`

beforeAll(async () => {
  anvil = await startAnvil()
  client = createChainClient({ network, rpcUrl: anvil.url, ...patientClient })
  wallet = await deploy(walletInit)
})
afterAll(() => anvil.stop())

async function deploy(data: `0x${string}`): Promise<`0x${string}`> {
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  const sender = createWalletClient({ account, chain: client.chain, transport: http(anvil.url) })
  const receipt = await client.waitForTransactionReceipt({
    hash: await sender.sendTransaction({ data }),
    pollingInterval: 20,
  })
  return receipt.contractAddress?.toLowerCase() as `0x${string}`
}

test('a deployed contract wallet is believed about its own signatures only (EIP-1271)', async () => {
  const askContract = askContractOn(client)
  const message = 'app wants you to sign in'
  expect(await askContract(askedOf(wallet, message, sign(message)))).toBe(true)
  expect(await askContract(askedOf(wallet, `${message}!`, sign(message)))).toBe(false)
  expect(await askContract(askedOf(wallet, message, `0x${'11'.repeat(65)}`))).toBe(false)
})

test('a wallet that is not deployed yet is believed through its factory (EIP-6492)', async () => {
  const factory = await deploy(factoryInit)
  const initCode = walletInit
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: padHex('0x00', { size: 32 }),
    bytecode: initCode,
  })
  const message = 'app wants you to sign in'
  const signature = serializeErc6492Signature({ address: factory, data: initCode, signature: sign(message) })
  const askContract = askContractOn(client)
  expect(await askContract(askedOf(address, message, signature))).toBe(true)
  expect(await askContract(askedOf(address, 'another text', signature))).toBe(false)
})

test('an address without code cannot have accepted anything', async () => {
  const address = '0x00000000000000000000000000000000000000aa'
  expect(await askContractOn(client)(askedOf(address, 'hello', `0x${'11'.repeat(65)}`))).toBe(false)
})

test('a node that does not answer is an error and not a wrong signature', async () => {
  const nowhere = createChainClient({ network, rpcUrl: 'http://127.0.0.1:9', retries: 0 })
  const asked = askContractOn(nowhere)(askedOf(wallet, 'hello', '0x1234'))
  await expect(asked).rejects.toMatchObject({ name: 'RpcError', failure: 'unreachable' })
})

test.each(['refuse', 'http500'] as const)(
  'a node that fails (%s) only when the contract is asked says nothing of the signature',
  async (fault) => {
    await using node = await startFaultyProxy(anvil.url, (method) => (method === 'eth_call' ? fault : 'pass'))
    const failing = createChainClient({ network, rpcUrl: node.url, retries: 0 })
    const message = 'app wants you to sign in'
    const asked = askContractOn(failing)(askedOf(wallet, message, sign(message)))
    await expect(asked).rejects.toMatchObject({ name: 'RpcError' })
  },
)
