import { startAnvil, type Anvil } from '@candela/devnet/anvil'
import {
  concatHex,
  createWalletClient,
  getContractAddress,
  hashMessage,
  http,
  keccak256,
  padHex,
  serializeErc6492Signature,
  toHex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainClient, createChainClient } from '../../chain/client.ts'
import { askContractOn } from './ask-contract.ts'

/**
 * A contract wallet in 57 bytes: its "signature" of a hash is the hash xor a secret word. Whatever is called, it
 * compares the first word of the signature with the hash in the first argument and answers EIP-1271's magic value.
 */
const secret = keccak256(toHex('only the wallet knows'))
const walletCode = concatHex([
  '0x600435', // the hash
  '0x7f',
  secret,
  '0x18', // xor
  '0x606435', // the first word of the signature
  '0x14', // equal
  '0x631626ba7e', // the magic value
  '0x02', // times 0 or 1
  '0x60e01b', // in the highest bytes
  '0x60005260206000f3',
])
const walletInit = concatHex([
  '0x60',
  toHex((walletCode.length - 2) / 2, { size: 1 }),
  '0x80600b6000396000f3',
  walletCode,
])
const sign = (message: string) => toHex(BigInt(hashMessage(message)) ^ BigInt(secret), { size: 32 })

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
  client = createChainClient({ network, rpcUrl: anvil.url })
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
  expect(await askContract({ address: wallet, message, signature: sign(message) })).toBe(true)
  expect(await askContract({ address: wallet, message: `${message}!`, signature: sign(message) })).toBe(false)
  expect(await askContract({ address: wallet, message, signature: `0x${'11'.repeat(65)}` })).toBe(false)
})

test('a wallet that is not deployed yet is believed through its factory (EIP-6492)', async () => {
  // The factory is a contract that deploys whatever it is called with, by CREATE2 with salt 0.
  const factory = await deploy('0x601680600b6000396000f336600060003760003660006000f560005260206000f3')
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
  expect(await askContract({ address, message, signature })).toBe(true)
  expect(await askContract({ address, message: 'another text', signature })).toBe(false)
})

test('an address without code cannot have accepted anything', async () => {
  const address = '0x00000000000000000000000000000000000000aa'
  expect(await askContractOn(client)({ address, message: 'hello', signature: `0x${'11'.repeat(65)}` })).toBe(false)
})

test('a node that does not answer is an error and not a wrong signature', async () => {
  const nowhere = createChainClient({ network, rpcUrl: 'http://127.0.0.1:9', retries: 0 })
  const asked = askContractOn(nowhere)({ address: wallet, message: 'hello', signature: '0x1234' })
  await expect(asked).rejects.toMatchObject({ name: 'RpcError', failure: 'unreachable' })
})
