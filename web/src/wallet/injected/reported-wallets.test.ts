/** Behaviour of wallets that people have reported, each tried on the whole of the wallet's code. The table of them is `docs/reference/wallets.md`. */
import { CHAIN_ID, type NetworkConfig } from '@candela/protocol/chain/network'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { memoryStorage } from '../../lib/storage.ts'
import { createWallet } from '../create-wallet.ts'
import { announceOn, deployTestContracts, paymentOf } from '../testing-wallets.ts'

let anvil: Anvil
let page: EventTarget
let test1: TestWallet

beforeAll(async () => {
  anvil = await startAnvil()
  await deployTestContracts(anvil.url)
})
afterAll(() => anvil.stop())
beforeEach(() => {
  page = new EventTarget()
})
afterEach(() => void Reflect.deleteProperty(globalThis, 'window'))

type Ways = Parameters<typeof announceOn>[3]

/** A wallet that does so, on our chain or on another one, connected. */
async function connected(ways: Ways, chainId = CHAIN_ID) {
  test1 = createTestWallet({ rpcUrl: anvil.url, realChainId: CHAIN_ID, accounts: [devAccount(1)], chainId })
  announceOn(page, test1, 'one.example', ways)
  vi.stubGlobal('window', page)
  const wallet = createWallet(page, memoryStorage(), () => import('../engine.ts'))
  await wallet.connectWallet()
  return wallet
}

const network: NetworkConfig = {
  chainId: `0x${CHAIN_ID.toString(16)}`,
  chainName: 'JuChain',
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: ['https://rpc.example'],
  blockExplorerUrls: [],
}
const nothing = { sent: () => {} }
const count = (method: string) => test1.calls.filter((each) => each === method).length

test('answers come as whole objects of JSON-RPC', async () => {
  const wallet = await connected({ answers: (_method, result) => ({ id: 1, jsonrpc: '2.0', result }) })
  expect(wallet.walletStore.get()).toMatchObject({ address: test1.address.toLowerCase(), chainId: CHAIN_ID })
  expect(await wallet.signMessage('hello')).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await wallet.sendRecharge(paymentOf(1_030n, test1.address), nothing)).toBe('confirmed')
  const refusal = { id: 1, jsonrpc: '2.0', error: { code: 4001, message: 'User denied' } }
  page = new EventTarget()
  const refusing = await connected({ answers: (method, answer) => (method === 'personal_sign' ? refusal : answer) })
  await expect(refusing.signMessage('hello')).rejects.toMatchObject({ kind: 'refused' })
})

test('a switch changes the network and is never answered', async () => {
  const wallet = await connected(
    {
      fails({ method }) {
        if (method !== 'wallet_switchEthereumChain') return Promise.resolve()
        test1.setChain(CHAIN_ID)
        return new Promise(() => {})
      },
    },
    1,
  )
  await wallet.switchNetwork(network)
  expect(wallet.walletStore.get().chainId).toBe(CHAIN_ID)
})

test('a switch is said to be done, and the network stays as it was', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const opening = connected(
      { refuses: ({ method }) => (method === 'wallet_switchEthereumChain' ? null : undefined) },
      1,
    )
    await vi.advanceTimersByTimeAsync(2_000)
    const wallet = await opening
    const ended = expect(wallet.switchNetwork(network)).rejects.toMatchObject({ kind: 'wrong-chain' })
    for (let waited = 0; waited < 10_000; waited += 250) await vi.advanceTimersByTimeAsync(250)
    await ended
    expect(wallet.walletStore.get().chainId).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

/** Knows no network but its own until it was added. */
function strange(added: (params: unknown) => void): Ways {
  let isKnown = false
  return {
    ignores: new Set(['wallet_addEthereumChain']),
    async fails({ method, params }) {
      if (method === 'wallet_switchEthereumChain' && !isKnown)
        throw Object.assign(new Error('Unrecognized chain ID'), { code: 4902 })
      if (method !== 'wallet_addEthereumChain') return
      isKnown = true
      added(params?.[0])
    },
  }
}

test('a network without an explorer has to be said to have none', async () => {
  const asked: unknown[] = []
  const wallet = await connected(
    strange((params) => {
      asked.push(params)
      if ((params as { blockExplorerUrls?: unknown }).blockExplorerUrls === undefined)
        throw Object.assign(new Error('Expected null or array'), { code: -32_602 })
    }),
    1,
  )
  await wallet.switchNetwork(network)
  expect(asked).toHaveLength(2)
  expect(wallet.walletStore.get().chainId).toBe(CHAIN_ID)
})

test('a network is added, and then it is said that this failed', async () => {
  const wallet = await connected(
    strange(() => {
      throw Object.assign(new Error('Explorer URL is invalid'), { code: -32_603 })
    }),
    1,
  )
  await wallet.switchNetwork(network)
  expect(wallet.walletStore.get().chainId).toBe(CHAIN_ID)
})

test.each([
  ['an RPC without TLS', -32_602, "Expected an array with at least one valid string HTTPS url 'rpcUrls'"],
  ['a network that is not on its own list', -32_600, 'Chain Id not supported'],
])('a wallet that refuses to add a network, because of %s: its own reason is there', async (_why, code, message) => {
  const wallet = await connected(
    {
      refuses: ({ method }) => (method.endsWith('EthereumChain') ? { code, message } : undefined),
    },
    1,
  )
  await expect(wallet.switchNetwork({ ...network, blockExplorerUrls: ['https://scan.example'] })).rejects.toMatchObject(
    {
      kind: 'failed',
      said: message,
    },
  )
})

test('a no to a network that was asked for asks for nothing else', async () => {
  const asked: string[] = []
  const wallet = await connected(
    {
      refuses({ method }) {
        if (!method.endsWith('EthereumChain')) return undefined
        asked.push(method)
        return method.includes('add') ? { code: 4001, message: 'User rejected' } : { code: 4902, message: 'Unknown' }
      },
    },
    1,
  )
  await expect(wallet.switchNetwork(network)).rejects.toMatchObject({ kind: 'refused' })
  expect(asked).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
})

const terms = () =>
  transferTypedData(
    {
      from: test1.address,
      to: devAccount(2).address,
      asset: 'JU',
      amount: 25n * 10n ** 17n,
      requestId: 'A'.repeat(20),
      deadline: new Date('2026-11-26T12:00:00.000Z'),
    },
    `0x${'12'.repeat(20)}`,
  )

test.each([
  ['Provided chainId "210000" must match the active chainId "1"', -32_603],
  ['sign-tx.chainid.mismatch', -32_603],
  ['The method eth_signTypedData_v4 does not exist', -32_601],
  ['The operation couldn’t be completed. (TrustWalletConnect.WCError error 1.)', -32_000],
  ['The string did not match the expected pattern.', -32_000],
  ['Unknown method(s) requested', 5201],
])('typed data are refused with %s: in its own words, once', async (message, code) => {
  const wallet = await connected({
    refuses: ({ method }) => (method === 'eth_signTypedData_v4' ? { code, message } : undefined),
  })
  await expect(wallet.signTransfer(terms())).rejects.toMatchObject({ said: message })
})

test('a wallet that has sent says that it was refused', async () => {
  const wallet = await connected({
    async fails({ method, params }) {
      if (method !== 'eth_sendTransaction') return
      await test1.request(method, params)
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    },
  })
  await expect(wallet.sendRecharge(paymentOf(1_032n, test1.address), nothing)).rejects.toMatchObject({
    kind: 'unknown',
  })
  expect(count('eth_sendTransaction')).toBe(1)
})

test('an answer without a result or an error is no account', async () => {
  const opening = connected({
    refuses: ({ method }) =>
      /accounts|Permissions/i.test(method)
        ? { code: -32_603, message: 'JsonRpcEngine: Response has no error or result for request:\n{ "method": 1 }' }
        : undefined,
  })
  await expect(opening).rejects.toMatchObject({
    kind: 'failed',
    said: 'JsonRpcEngine: Response has no error or result for request:',
  })
})
