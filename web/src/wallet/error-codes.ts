import type { Connector } from '@wagmi/core'
import type { EIP1193Provider } from 'viem'
import type { WalletErrorKind } from './errors.ts'
import { toWalletError } from './to-wallet-error.ts'

/** Of EIP-1193 and EIP-1474. */
const codes: Partial<Record<WalletErrorKind, number>> = { refused: 4001, busy: -32_002, 'wrong-account': 4100 }

const done = new WeakSet<Connector>()

/**
 * Has the wallet of a connector throw errors with a code where it throws a text alone. Without a code wagmi takes a refusal for a
 * method that the wallet does not have, and asks in another way, in one more window.
 */
export function withErrorCodes(connector: Connector): Connector {
  if (done.has(connector)) return connector
  done.add(connector)
  const getProvider = connector.getProvider.bind(connector)
  // One for each provider, because listeners are removed from the one that they were added to.
  const providers = new WeakMap<object, EIP1193Provider>()
  connector.getProvider = async (parameters) => {
    const provider = (await getProvider(parameters)) as EIP1193Provider | undefined
    if (provider === undefined) return undefined
    const made = providers.get(provider) ?? codedProvider(provider)
    providers.set(provider, made)
    return made
  }
  return connector
}

function codedProvider(provider: EIP1193Provider): EIP1193Provider {
  const request = async (call: Parameters<EIP1193Provider['request']>[0]): Promise<unknown> => {
    try {
      return await provider.request(call)
    } catch (error) {
      if (typeof error !== 'string') throw error
      throw Object.assign(new Error(error), { code: codes[toWalletError(error, 'asking the wallet').kind] })
    }
  }
  return new Proxy(provider, {
    get(target, name) {
      if (name === 'request') return request
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
