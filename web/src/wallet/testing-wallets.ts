import { CHAIN_ID } from '@candela/protocol/chain/network'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import type { RechargeTransaction } from './types.ts'

/** Runtime code that reverts on an odd native value, and one that answers any call with the length of its input. */
export const ODD_REVERTS = {
  address: '0x00000000000000000000000000000000000a11ce',
  code: '0x3460011660085700005b60006000fd',
} as const
export const ECHO_LENGTH = {
  address: '0x0000000000000000000000000000000000c0ffee',
  code: '0x3660005260206000f3',
} as const

export async function deployTestContracts(rpcUrl: string): Promise<void> {
  const { client } = createTestWallet({ rpcUrl, realChainId: CHAIN_ID, accounts: [devAccount(1)] })
  for (const { address, code } of [ODD_REVERTS, ECHO_LENGTH])
    await client.request({ method: 'anvil_setCode', params: [address, code] } as never)
}

/** How a wallet departs from the standards. */
type Ways = {
  /** Tells of no change. */
  quiet?: boolean
  chainIdAs?: (id: number) => unknown
  /** Methods that are not answered. */
  silent?: ReadonlySet<string>
  /** Throws the text of an error alone, without its code. */
  throwsTexts?: boolean
}

/** An EIP-1193 provider of the page in front of a test wallet. */
export function providerOf(source: TestWallet, { quiet = false, chainIdAs, silent, throwsTexts = false }: Ways = {}) {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  if (!quiet) source.listen((name, value) => listeners.get(name)?.forEach((listener) => listener(value)))
  return {
    async request({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> {
      if (silent?.has(method) === true) return await new Promise(() => {})
      const answer = await source.request(method, params).catch((error: Error) => {
        throw throwsTexts ? error.message : error
      })
      return method === 'eth_chainId' && chainIdAs !== undefined ? chainIdAs(Number(answer)) : answer
    },
    on: (name: string, listener: (value: unknown) => void) =>
      void listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
    removeListener: (name: string, listener: (value: unknown) => void) => void listeners.get(name)?.delete(listener),
  }
}

/** Announces a wallet to a page, as an extension does before the page's own scripts run. */
export function announceOn(page: EventTarget, source: TestWallet, rdns: string, ways: Ways & { icon?: string } = {}) {
  const { icon = 'data:image/svg+xml,<svg/>' } = ways
  const provider = providerOf(source, ways)
  const info = { uuid: crypto.randomUUID(), name: `Wallet ${rdns}`, icon, rdns }
  const say = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  page.addEventListener('eip6963:requestProvider', say)
}

/** A payment to a contract that takes an even value. */
export const paymentOf = (value: bigint, customer: `0x${string}`): RechargeTransaction => ({
  chainId: CHAIN_ID,
  to: ODD_REVERTS.address,
  abiKey: 'buyPower',
  tuple: [String(value), '0x0000000000000000000000000000000000000000', customer, 'ORDER1234'],
  data: '0x1234',
  value: String(value),
  gas: '1000000',
})
