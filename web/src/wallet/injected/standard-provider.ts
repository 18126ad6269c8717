import type { EIP1193Provider } from 'viem'
import type { InjectedProvider } from './discovery.ts'

const made = new WeakMap<object, EIP1193Provider>()

type Events = Partial<Record<'on' | 'removeListener' | 'off', unknown>>

/**
 * The provider of a wallet as EIP-1193 has it: what is thrown is an error, events can be listened to even where there are none, and
 * numbers of a receipt are hexadecimal. It is an object of its own, because a wallet's may be frozen or have properties that can only be
 * read, and libraries assign to it.
 */
export function standardProvider(provider: InjectedProvider): EIP1193Provider {
  const known = made.get(provider)
  if (known !== undefined) return known
  const { on, removeListener, off } = provider as Events
  const tell = (listen: unknown, name: string, listener: unknown): void => {
    // A wallet without events is asked instead.
    if (typeof listen === 'function') attempt(() => void listen.call(provider, name, listener))
  }
  const standard = {
    async request(call: { method: string; params?: unknown }): Promise<unknown> {
      try {
        const answer = unwrapped(await provider.request({ ...call }))
        return call.method === 'eth_getTransactionReceipt' ? withHexStatus(answer) : answer
      } catch (error) {
        // Some wallets throw a text, or nothing at all.
        throw typeof error === 'object' && error !== null ? error : new Error(typeof error === 'string' ? error : '')
      }
    },
    on: (name: string, listener: unknown) => tell(on, name, listener),
    removeListener: (name: string, listener: unknown) => tell(removeListener ?? off, name, listener),
  } as unknown as EIP1193Provider
  made.set(provider, standard)
  return standard
}

/** Some wallets answer as JSON-RPC has it, with the result inside. */
function unwrapped(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('jsonrpc' in answer)) return answer
  if ('error' in answer && answer.error !== null && answer.error !== undefined) throw answer.error
  return 'result' in answer ? answer.result : answer
}

/** Some nodes and wallets give the status of a receipt as a number. */
function withHexStatus(receipt: unknown): unknown {
  if (typeof receipt !== 'object' || receipt === null || !('status' in receipt)) return receipt
  const { status } = receipt
  return typeof status === 'number' ? { ...receipt, status: `0x${status.toString(16)}` } : receipt
}

function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    // oxlint-disable-next-line no-console -- the wallet works without its events, and this is the only trace of why it has none
    console.warn('The wallet lets nobody listen to it', error)
  }
}
