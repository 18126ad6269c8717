import { CHAIN_ID } from '@candela/protocol/chain/network'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { createTestWallet, devAccount, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { encodeAbiParameters, encodeFunctionData } from 'viem'
import type { Recharge, RechargeTransaction } from './types.ts'

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
  /** Runs before a request reaches the wallet; what it throws is thrown. */
  fails?: (call: Call) => Promise<void>
  /** Returns what is thrown instead of an answer; null for an answer without the wallet, undefined where the wallet answers. */
  refuses?: (call: Call) => unknown
  /** Returns what is answered for the wallet's own answer. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as many kinds as there are methods
  answers?: (method: string, answer: any) => unknown
  /** Methods that do not reach the wallet. */
  ignores?: ReadonlySet<string>
  /** The object that is given to the page. */
  made?: (provider: { request: unknown }) => object
}

type Call = { method: string; params?: unknown[] }

/** An EIP-1193 provider of the page in front of a test wallet. */
export function providerOf(source: TestWallet, ways: Ways = {}) {
  const { quiet = false, chainIdAs, silent, throwsTexts = false, fails, refuses, answers, ignores } = ways
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  if (!quiet) source.listen((name, value) => listeners.get(name)?.forEach((listener) => listener(value)))
  return {
    async request({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> {
      if (silent?.has(method) === true) return await new Promise(() => {})
      await fails?.({ method, ...(params !== undefined && { params }) })
      const refused = refuses?.({ method, ...(params !== undefined && { params }) })
      if (refused === null) return null
      // oxlint-disable-next-line typescript/only-throw-error -- wallets throw anything
      if (refused !== undefined) throw refused
      const answered = ignores?.has(method) === true ? null : source.request(method, params)
      const own = await answered?.catch((error: Error) => {
        throw throwsTexts ? error.message : error
      })
      const answer = answers === undefined ? own : answers(method, own)
      return method === 'eth_chainId' && chainIdAs !== undefined ? chainIdAs(Number(answer)) : answer
    },
    on: (name: string, listener: (value: unknown) => void) =>
      void listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
    removeListener: (name: string, listener: (value: unknown) => void) => void listeners.get(name)?.delete(listener),
  }
}

/** Announces a wallet to a page, as an extension does before the page's own scripts run. */
export function announceOn(
  page: EventTarget,
  source: TestWallet,
  rdns: string,
  ways: Ways & { icon?: string; name?: string } = {},
) {
  const { icon = 'data:image/svg+xml,<svg/>', name = `Wallet ${rdns}`, made = (provider) => provider } = ways
  const provider = made(providerOf(source, ways))
  const info = { uuid: crypto.randomUUID(), name, icon, rdns }
  const say = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  page.addEventListener('eip6963:requestProvider', say)
}

/** A payment to a contract that takes an even value, as it is shown and as the service prepares it. */
export function paymentOf(value: bigint, customer: `0x${string}`): { terms: Recharge; prepared: RechargeTransaction } {
  const terms: Recharge = { abiKey: 'buyPower', asset: 'JU', amount: value, customer, reference: 'ORDER1234' }
  const parameters = encodeAbiParameters(rechargeDataTypes, [value, NATIVE_ASSET, customer, terms.reference])
  const args = ['buyPower', parameters] as const
  const prepared: RechargeTransaction = {
    chainId: CHAIN_ID,
    to: ODD_REVERTS.address,
    abiKey: 'buyPower',
    tuple: [String(value), NATIVE_ASSET, customer, terms.reference],
    data: encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args }),
    value: String(value),
    gas: '1000000',
  }
  return { terms, prepared }
}
