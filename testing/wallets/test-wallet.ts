/**
 * A wallet for tests: it signs for real with local accounts and sends to a real chain, but a test
 * decides instead of a person. The page's side is in `page-wallet.ts`.
 */
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hash,
  hexToBigInt,
  http,
  type LocalAccount,
  numberToHex,
  parseAbi,
  type PublicClient,
  type RpcTransactionRequest,
  type TypedDataDefinition,
  zeroAddress,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** The accounts that every development chain knows. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk'

export const devAccount = (index: number): HDAccount => mnemonicToAccount(DEV_MNEMONIC, { addressIndex: index })

/** An error as EIP-1193 has it. */
export class ProviderError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The fate of the next payment that the wallet is asked for. `late`: it is not mined until `releaseLatePayment`. It waits, as do those
 * that are to be replaced, because the nonce before its own is not used yet, whatever the block time.
 */
export type PaymentFault = 'none' | 'revert' | 'speed-up' | 'cancel' | 'late'

type Payment = { to: `0x${string}` | null; data: `0x${string}`; value: bigint; gas?: bigint }

const executeAbi = parseAbi(['function execute(address to, uint256 value, bytes data) payable'])

/** The same payment, made by a contract on its owner's order, with the contract's own money. */
const throughContract = (contract: `0x${string}`, { to, data, value, gas }: Payment): Payment => ({
  to: contract,
  data: encodeFunctionData({ abi: executeAbi, functionName: 'execute', args: [to ?? zeroAddress, value, data] }),
  value: 0n,
  ...(gas !== undefined && { gas: gas + 100_000n }),
})

type Listener = (name: string, value: unknown) => void

export type TestWalletOptions = {
  rpcUrl: string
  /** The chain that `rpcUrl` leads to, decimal. */
  realChainId: number
  accounts: readonly LocalAccount[]
  /** The key behind an account that is a contract: it pays for what the contract is made to do. */
  owner?: LocalAccount
  /** The chain that is selected at first. Only the real chain answers chain requests. */
  chainId?: number
  /** Whether it knows the real chain, or has to be told with `wallet_addEthereumChain`. */
  knowsChain?: boolean
}

export type TestWallet = ReturnType<typeof createTestWallet>

export function createTestWallet(options: TestWalletOptions) {
  const { rpcUrl, realChainId } = options
  let [account] = options.accounts as [LocalAccount, ...LocalAccount[]]
  let chainId = options.chainId ?? realChainId
  let knowsChain = options.knowsChain ?? true
  let allowed = false
  let fault: PaymentFault = 'none'
  const refusals: string[] = []
  let looked: Promise<void> = Promise.resolve()
  let held: { through: () => Promise<unknown> } | undefined
  const calls: string[] = []
  const sent: Hash[] = []
  const listeners = new Set<Listener>()
  const chain = defineChain({
    id: realChainId,
    name: 'test',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createPublicClient({ chain, transport: http() })
  const emit: Listener = (name, value) => {
    for (const listener of listeners) listener(name, value)
  }

  function setChain(id: number): void {
    if (id === chainId) return
    chainId = id
    emit('chainChanged', numberToHex(id))
  }

  function switchTo(wanted: string): null {
    const id = Number(wanted)
    if (id === realChainId && !knowsChain) throw new ProviderError(4902, 'Unrecognized chain ID')
    setChain(id)
    return null
  }

  function add(wanted: { chainId: string; rpcUrls: string[] }): null {
    if (Number(wanted.chainId) !== realChainId || wanted.rpcUrls.length === 0)
      throw new ProviderError(-32_602, `Cannot add ${JSON.stringify(wanted)}`)
    knowsChain = true
    return null
  }

  function allow(): string[] {
    allowed = true
    return [account.address]
  }

  /** Answers one EIP-1193 request. @throws ProviderError */
  async function request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    calls.push(method)
    const refused = refusals.indexOf(method)
    if (refused >= 0) {
      refusals.splice(refused, 1)
      throw new ProviderError(4001, 'User rejected the request.')
    }
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'eth_accounts':
        return allowed ? [account.address] : []
      case 'eth_requestAccounts':
        return allow()
      case 'wallet_requestPermissions':
        return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: allow() }] }]
      case 'wallet_switchEthereumChain':
        return switchTo((params[0] as { chainId: string }).chainId)
      case 'wallet_addEthereumChain':
        return add(params[0] as { chainId: string; rpcUrls: string[] })
      case 'personal_sign':
        return await account.signMessage({ message: { raw: params[0] as `0x${string}` } })
      case 'eth_signTypedData_v4':
        return await account.signTypedData(JSON.parse(params[1] as string) as TypedDataDefinition)
      case 'eth_sendTransaction':
        return await send(params[0] as RpcTransactionRequest)
      default:
        if (chainId !== realChainId) throw new ProviderError(-32_603, `No such chain here: ${chainId}`)
        return await client.request({ method, params } as never)
    }
  }

  async function send(wanted: RpcTransactionRequest): Promise<Hash> {
    if (chainId !== realChainId) throw new ProviderError(-32_603, 'Sent on the wrong chain')
    if (wanted.from?.toLowerCase() !== account.address.toLowerCase())
      throw new ProviderError(4100, `Not the selected account: ${String(wanted.from)}`)
    const doing = fault
    fault = 'none'
    await looked
    const value = hexToBigInt(wanted.value ?? '0x0')
    const asked = {
      to: wanted.to ?? null,
      data: wanted.data ?? '0x',
      // The payment contract refuses any value but the exact one, so one wei more makes it revert on the chain.
      value: doing === 'revert' ? value + 1n : value,
      ...(wanted.gas === undefined ? {} : { gas: hexToBigInt(wanted.gas) }),
    }
    const key = options.owner ?? account
    const payment = key === account ? asked : throughContract(account.address, asked)
    const fees = await client.estimateFeesPerGas()
    const next = await client.getTransactionCount({ address: key.address, blockTag: 'pending' })
    const waits = doing === 'speed-up' || doing === 'cancel' || doing === 'late'
    const nonce = waits ? next + 1 : next
    const wallet = createWalletClient({ account: key, chain, transport: http() })
    const fill = () => wallet.sendTransaction({ to: key.address, gas: 21_000n, ...fees, nonce: next })
    const hash = await wallet.sendTransaction({ ...payment, ...fees, nonce })
    sent.push(hash)
    if (doing === 'late') held = { through: fill }
    if (doing === 'speed-up' || doing === 'cancel') {
      const better = { maxFeePerGas: fees.maxFeePerGas * 2n, maxPriorityFeePerGas: fees.maxPriorityFeePerGas * 2n + 1n }
      const instead = doing === 'cancel' ? { to: key.address, value: 0n, gas: 21_000n } : payment
      const replace = async () => {
        await whenSeen(hash)
        const replacement = await wallet.sendTransaction({ ...instead, ...better, nonce })
        await fill()
        sent.push(replacement)
      }
      void replace()
    }
    return hash
  }

  /** People press "speed up" long after the page has looked at the first transaction. */
  async function whenSeen(hash: Hash): Promise<void> {
    const from = calls.length
    while (!calls.slice(from).includes('eth_getTransactionByHash')) await new Promise((next) => setTimeout(next, 20))
    await client.getTransaction({ hash })
  }

  return {
    request,
    /** Events for the page. */
    listen: (listener: Listener) => listeners.add(listener),
    get address(): `0x${string}` {
      return account.address.toLowerCase() as `0x${string}`
    },
    /** Methods asked for so far, oldest first. */
    calls,
    /** Hashes of everything sent to the chain, replacements too. */
    sent,
    client: client as PublicClient,
    /** Refuses the next request of this method, once. */
    refuseNext: (method: string) => refusals.push(method),
    failNextPayment: (how: PaymentFault) => {
      fault = how
    },
    /** Lets a `late` payment be mined. */
    async releaseLatePayment(): Promise<void> {
      if (held === undefined) throw new Error('No payment waits')
      await held.through()
      held = undefined
    },
    /** The person does not answer payment requests. @returns what lets them answer */
    holdPayments(): () => void {
      const holding = Promise.withResolvers<void>()
      looked = holding.promise
      return holding.resolve
    },
    setChain,
    /** The person picks another account in the wallet's own window. */
    useAccount(next: LocalAccount): void {
      account = next
      if (allowed) emit('accountsChanged', [account.address])
    },
    /** The person revokes the site's permission. */
    forget(): void {
      allowed = false
      emit('accountsChanged', [])
    },
  }
}
