/** The library of WalletConnect: larger than the rest of the wallet's code together, so it is loaded when such a wallet is wanted. */
import { Core } from '@walletconnect/core'
import { pino } from '@walletconnect/logger'
import { SignClient } from '@walletconnect/sign-client'
import type { RemoteSettings } from './types.ts'

type ClientOptions = NonNullable<Parameters<typeof SignClient.init>[0]>
export type RemoteClient = Awaited<ReturnType<typeof SignClient.init>>

/**
 * Takes up the sessions that this device keeps (IndexedDB), and connects to the relay when there is one. Nobody but the relay is asked
 * anything: the library's reports to its maker are off, and so is its check of this page's origin, which would put a page of
 * somebody else into this one.
 */
export async function openClient({
  projectId,
  relayUrl,
  origin,
}: Omit<RemoteSettings, 'rpcUrls'>): Promise<RemoteClient> {
  // Its own would keep all that is said in memory, the keys of the connection too.
  const logger = pino({ level: 'silent' })
  const core = new Core({ projectId, relayUrl, telemetryEnabled: false, logger })
  core.verify.register = () => Promise.resolve('')
  // The library's own way to say that nothing is known, which its type does not have.
  core.verify.resolve = () => Promise.resolve(undefined as never)
  const client = await SignClient.init({
    // Its own type is stricter than what it is made as.
    core: core as NonNullable<ClientOptions['core']>,
    logger,
    metadata: {
      name: 'Candela',
      description: 'Computing power, its income and credit on chain 210000',
      url: origin,
      icons: [`${origin}/icon-192.png`],
    },
  })
  letSessionsEndTwice(client)
  return client
}

/** Parts of the library that its types keep to themselves. */
type Engine = Record<'deleteSession' | 'isValidDisconnect', (params: object) => Promise<void>>

/**
 * When both sides end a session at once, the library leaves the refusal of the second end to nobody, which the page would take for an error
 * of its own, and waits for ever to delete what is gone: no later message of a wallet is read then, and no other wallet can connect.
 */
function letSessionsEndTwice({ engine, session }: RemoteClient): void {
  const own = engine as unknown as Engine
  const { deleteSession, isValidDisconnect } = own
  own.deleteSession = async (params) => {
    if (session.keys.includes((params as { topic: string }).topic)) await deleteSession(params)
  }
  own.isValidDisconnect = (params) => {
    const checked = isValidDisconnect(params)
    checked.catch(() => undefined)
    return checked
  }
}
