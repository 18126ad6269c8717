import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { type Hex, hexToBigInt, isHex } from 'viem'
import { type DemoAccount, demoAccounts } from './accounts.ts'
import type { DemoChain, Payment, PreparedPayment } from './chain.ts'
import { readTypedData, type TypedTerms } from './typed-terms.ts'

/** An error as EIP-1193 and EIP-1474 number it. */
export class ProviderError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The decisions that a person takes. Null and false are refusals. */
export type Decisions = {
  connect(accounts: DemoAccount[], current: DemoAccount): Promise<DemoAccount | null>
  sign(account: DemoAccount, text: string): Promise<boolean>
  signTerms(account: DemoAccount, terms: TypedTerms): Promise<boolean>
  pay(account: DemoAccount, payment: PreparedPayment): Promise<boolean>
}

/** The state that is kept between two visits. */
export type Memory = {
  load(): { address: string; allowed: boolean } | null
  save(address: string, allowed: boolean): void
}

type Listener = (value: unknown) => void

export type DemoProvider = ReturnType<typeof createDemoProvider>

/**
 * An EIP-1193 provider with the accounts of the development chain. It asks a person before it signs or moves money;
 * what anvil offers beyond a normal node is not reachable through it.
 */
export function createDemoProvider(decisions: Decisions, memory: Memory, openChain: () => Promise<DemoChain>) {
  const listeners = new Map<string, Set<Listener>>()
  const kept = memory.load()
  let allowed = kept?.allowed ?? false
  let chosen: string | undefined = kept?.address
  let chain: Promise<DemoChain> | undefined
  let lastDecision: Promise<unknown> = Promise.resolve()

  const emit = (name: string, value: unknown) => listeners.get(name)?.forEach((listener) => listener(value))

  function current(): DemoAccount {
    const accounts = demoAccounts()
    const account = accounts.find(({ address }) => address === chosen) ?? accounts[0]
    if (account === undefined) throw new Error('The demo wallet has no accounts')
    return account
  }

  function use(account: DemoAccount, isAllowed: boolean): void {
    const changed = account.address !== chosen || isAllowed !== allowed
    chosen = account.address
    allowed = isAllowed
    memory.save(chosen, allowed)
    if (changed) emit('accountsChanged', accountList())
  }

  const accountList = (): Hex[] => (allowed ? [current().address] : [])

  /** The chain's address comes from the service, so it is asked for when first needed, and again if that failed. */
  const reach = (): Promise<DemoChain> =>
    (chain ??= openChain().catch((error: unknown) => {
      chain = undefined
      throw error
    }))

  /** One question at a time, in the order in which they came. */
  function decide<T>(ask: () => Promise<T>): Promise<T> {
    const answer = lastDecision.then(ask)
    lastDecision = answer.catch(() => undefined)
    return answer
  }

  const connect = (): Promise<Hex[]> =>
    decide(async () => {
      const account = await decisions.connect(demoAccounts(), current())
      if (account === null) throw refused()
      use(account, true)
      return accountList()
    })

  const sign = (data: unknown, from: unknown): Promise<Hex> =>
    decide(async () => {
      const account = authorised(from)
      if (!isHex(data)) throw new ProviderError(-32_602, 'The message is not hexadecimal')
      if (!(await decisions.sign(account, readable(data)))) throw refused()
      return await account.account.signMessage({ message: { raw: data } })
    })

  const signTerms = (from: unknown, data: unknown): Promise<Hex> =>
    decide(async () => {
      const account = authorised(from)
      const read = readTypedData(data)
      if (read === null) throw new ProviderError(-32_602, 'The typed data cannot be read')
      if (!isOurChain(read.definition.domain)) throw new ProviderError(4902, 'These terms are for another chain')
      if (!(await decisions.signTerms(account, read.terms))) throw refused()
      return await account.account.signTypedData(read.definition)
    })

  const pay = (wanted: unknown): Promise<Hex> =>
    decide(async () => {
      const { from, payment } = readPayment(wanted)
      const account = authorised(from)
      const reached = await reach()
      const prepared = await reached.prepare(account.address, payment)
      if (!(await decisions.pay(account, prepared))) throw refused()
      return await reached.send(account.account, prepared)
    })

  function authorised(from: unknown): DemoAccount {
    const account = current()
    if (!allowed || typeof from !== 'string' || from.toLowerCase() !== account.address)
      throw new ProviderError(4100, 'This account has not been opened to the page')
    return account
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const [first, second] = Array.isArray(params) ? (params as unknown[]) : []
    switch (method) {
      case 'eth_chainId':
        return CHAIN_ID_HEX
      case 'net_version':
        return String(CHAIN_ID)
      case 'eth_accounts':
        return accountList()
      case 'eth_requestAccounts':
        return allowed ? accountList() : await connect()
      case 'wallet_requestPermissions':
        return [
          { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: await connect() }] },
        ]
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain':
        if (isOurChain(first)) return null
        throw new ProviderError(4902, 'The demo wallet knows the development chain only')
      case 'personal_sign':
        return await sign(first, second)
      case 'eth_signTypedData_v4':
        return await signTerms(first, second)
      case 'eth_sendTransaction':
        return await pay(first)
      default:
        if (!/^eth_(?:get|call$|estimateGas$|blockNumber$|gasPrice$|feeHistory$|maxPriorityFeePerGas$)/.test(method))
          throw new ProviderError(4200, `The demo wallet does not support ${method}`)
        return await (await reach()).request(method, params ?? [])
    }
  }

  return {
    request,
    on: (name: string, listener: Listener): void => {
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener))
    },
    removeListener: (name: string, listener: Listener): void => {
      listeners.get(name)?.delete(listener)
    },
    /** For the wallet's own window; a page has no use for what follows. */
    window: {
      accounts: demoAccounts,
      current,
      isConnected: () => allowed,
      choose: (account: DemoAccount) => use(account, true),
      forget: () => use(current(), false),
      balanceOf: async (account: DemoAccount) => (await reach()).balanceOf(account.address),
    },
  }
}

const refused = () => new ProviderError(4001, 'The person refused')

const isOurChain = (wanted: unknown): boolean =>
  typeof wanted === 'object' && wanted !== null && 'chainId' in wanted && Number(wanted.chainId) === CHAIN_ID

/** The text behind the bytes, or the bytes where they are no text: what is signed is what is shown. */
function readable(data: Hex): string {
  const bytes = Uint8Array.from(data.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return data
  }
}

function readPayment(wanted: unknown): { from: unknown; payment: Payment } {
  if (typeof wanted !== 'object' || wanted === null) throw new ProviderError(-32_602, 'No transaction was given')
  const fields = wanted as Record<string, unknown>
  const hex = (name: string): Hex | undefined => {
    const value = fields[name]
    if (value === undefined || value === null) return undefined
    if (!isHex(value)) throw new ProviderError(-32_602, `The transaction's ${name} is not hexadecimal`)
    return value
  }
  const amount = (name: string): bigint | undefined => {
    const value = hex(name)
    return value === undefined ? undefined : hexToBigInt(value)
  }
  return {
    from: fields['from'],
    payment: {
      to: hex('to') ?? null,
      data: hex('data') ?? hex('input'),
      value: amount('value') ?? 0n,
      gas: amount('gas'),
    },
  }
}
