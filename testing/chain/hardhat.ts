/** Runs the node of Hardhat Network in this process. */
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { hexToBytes } from 'viem'
import { testAccounts } from './accounts.ts'
import { serveJsonRpc } from './serve-json-rpc.ts'

/** Its library; null where npm has not installed its program: it is for fewer machines than Node, and npm on Node 20 leaves it out. */
export const loadEdr = () => import('@nomicfoundation/edr').catch(() => null)
export type Edr = NonNullable<Awaited<ReturnType<typeof loadEdr>>>

/** Enough for every deployment and payment of a test, in wei. */
const BALANCE = 10n ** 40n
const BLOCK_GAS = 1_000_000_000n

/** Starts a fresh chain that mines when it is told to, with the accounts and the forks of the tests' anvil. */
export async function startHardhat(edr: Edr): Promise<{ url: string; stop: () => Promise<void> }> {
  const context = new edr.EdrContext()
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
  const hardfork = edr.l1HardforkToString(edr.L1Hardfork.Merge)
  const accounts = testAccounts()
  const provider = await context.createProvider(
    edr.L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: false,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: true,
      chainId: BigInt(CHAIN_ID),
      networkId: BigInt(CHAIN_ID),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: BLOCK_GAS,
      genesisState: [
        ...edr.l1GenesisState(edr.L1Hardfork.Merge),
        ...accounts.map(({ address }) => ({ address: hexToBytes(address), balance: BALANCE })),
      ],
      hardfork,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: BLOCK_GAS, memPool: { order: edr.MineOrdering.Fifo } },
      network: { genesisBlockGasLimit: BLOCK_GAS },
      observability: {},
      ownedAccounts: accounts.map(({ privateKey }) => privateKey),
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new edr.ContractDecoder(),
  )
  return serveJsonRpc(async (call) => {
    // Hardhat's own server adds these: parameters that are missing, and the number of the call.
    const { data } = await provider.handleRequest(JSON.stringify({ params: [], ...call }))
    const answer = (typeof data === 'string' ? JSON.parse(data) : data) as object
    return { jsonrpc: '2.0', id: call.id, ...answer }
  })
}
