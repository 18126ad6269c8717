/** A wallet on a phone: an app that is given a connection's code, and passes on to a test wallet what the page asks it for. */
import { randomUUID } from 'node:crypto'
import { Core } from '@walletconnect/core'
import { pino } from '@walletconnect/logger'
import { SignClient } from '@walletconnect/sign-client'
import { type TestWallet, ProviderError } from '../test-wallet.ts'

type ClientOptions = NonNullable<Parameters<typeof SignClient.init>[0]>
export type RemoteWallet = Awaited<ReturnType<typeof openRemoteWallet>>

type Options = {
  relayUrl: string
  wallet: TestWallet
  address: `0x${string}`
  /** The chains that it opens to a page at first, decimal. */
  chains?: readonly number[]
}

/** Events and methods of every wallet of this kind. */
const events = ['accountsChanged', 'chainChanged']
const methods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

export async function openRemoteWallet({ relayUrl, wallet, address, chains = [210_000] }: Options) {
  const logger = pino({ level: 'silent' })
  const core = new Core({
    projectId: 'b'.repeat(32),
    relayUrl,
    telemetryEnabled: false,
    logger,
    customStoragePrefix: randomUUID(),
  })
  core.verify.register = () => Promise.resolve('')
  const client = await SignClient.init({
    core: core as NonNullable<ClientOptions['core']>,
    logger,
    metadata: { name: 'Wallet of a phone', description: 'Test', url: 'https://wallet.example', icons: [] },
    // The library's queue waits a second between two requests, and has stood still once on a busy machine; here nobody reads them.
    signConfig: { disableRequestQueue: true },
  })
  // A session that both sides end at once: the library leaves the refusal of the second end to nobody.
  const engine = client.engine as unknown as { isValidDisconnect: (params: unknown) => Promise<void> }
  const { isValidDisconnect } = engine
  engine.isValidDisconnect = (params) => {
    const checked = isValidDisconnect(params)
    checked.catch(() => undefined)
    return checked
  }
  let open = [...chains]
  let account = address
  let topic: string | undefined
  let refusesNext = false
  let knowsChain = true
  let endings = 0
  const asked: { method: string; chainId: string }[] = []

  const namespaces = () => ({
    eip155: {
      chains: open.map((id) => `eip155:${id}`),
      accounts: open.map((id) => `eip155:${id}:${account}`),
      methods,
      events,
    },
  })

  client.on('session_proposal', ({ id }) => {
    if (refusesNext) {
      refusesNext = false
      void client.reject({ id, reason: { code: 5000, message: 'User rejected.' } })
      return
    }
    void client.approve({ id, namespaces: namespaces() }).then((session) => (topic = session.topic))
  })

  client.on('session_delete', () => {
    endings += 1
  })

  async function answer(method: string, params: unknown[]): Promise<unknown> {
    if (method === 'wallet_addEthereumChain') knowsChain = true
    if (method === 'wallet_switchEthereumChain' && !knowsChain) throw new ProviderError(4902, 'Unrecognized chain ID')
    return await wallet.request(method, params)
  }

  /** Errors as EIP-1193 has them, or as a node's. */
  async function respond(method: string, params: unknown[]) {
    try {
      return { jsonrpc: '2.0', result: await answer(method, params) }
    } catch (error) {
      const code = error instanceof ProviderError ? error.code : -32_603
      return { jsonrpc: '2.0', error: { code, message: error instanceof Error ? error.message : String(error) } }
    }
  }

  client.on('session_request', async ({ topic: from, id, params: { request, chainId } }) => {
    asked.push({ method: request.method, chainId })
    const response = await respond(request.method, request.params as unknown[])
    await client.respond({ topic: from, response: { id, ...response } as never })
    if (request.method.startsWith('wallet_') && 'result' in response) await openChain()
  })

  const theTopic = (): string => {
    if (topic === undefined) throw new Error('The wallet has no session')
    return topic
  }

  async function openChain(): Promise<void> {
    open = [...new Set([...open, 210_000])]
    await client.update({ topic: theTopic(), namespaces: namespaces() })
  }

  return {
    /** The requests that it was asked, with the chain of each. */
    asked,
    /** Scans a code. */
    scan: async (uri: string): Promise<void> => {
      await client.core.pairing.pair({ uri })
    },
    /** Says no to the next connection. */
    refuseNext: (): void => {
      refusesNext = true
    },
    /** Our chain has to be added from now on. */
    knowsNoChain: (): void => {
      knowsChain = false
    },
    /** How often a page has ended a connection. */
    ended: (): number => endings,
    /** Goes over to another account, and tells the page. */
    async changeAccount(next: `0x${string}`): Promise<void> {
      account = next
      await client.update({ topic: theTopic(), namespaces: namespaces() })
      await client.emit({
        topic: theTopic(),
        chainId: `eip155:${open[0]}`,
        event: { name: 'accountsChanged', data: [next] },
      })
    },
    /** Ends the connection. */
    disconnect: () => client.disconnect({ topic: theTopic(), reason: { code: 6000, message: 'User disconnected.' } }),
    async close(): Promise<void> {
      await client.core.relayer.transportClose()
      client.core.heartbeat.stop()
    },
  }
}
