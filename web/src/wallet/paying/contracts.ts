import { WalletError } from '../errors.ts'

type Hex = `0x${string}`

/** Addresses in lower case: the payment contract, and the tokens behind USDT and HASH. */
export type Contracts = { gateway: Hex; usdt: Hex; hash: Hex }

type Environment = { VITE_GATEWAY_ADDRESS?: string; VITE_USDT_ADDRESS?: string; VITE_HASH_ADDRESS?: string }

/**
 * Reads the contracts that were built in; null where none were, as in a development build. @throws when only some are there, or one is
 * no address
 */
export function contractsOf(environment: Environment): Contracts | null {
  const { VITE_GATEWAY_ADDRESS: gateway, VITE_USDT_ADDRESS: usdt, VITE_HASH_ADDRESS: hash } = environment
  const given = [gateway, usdt, hash].map((address) => (address ?? '').toLowerCase())
  if (given.every((address) => address === '')) return null
  if (!given.every((address) => /^0x[0-9a-f]{40}$/.test(address)))
    throw new Error('The contracts were not built in whole')
  return { gateway: given[0] as Hex, usdt: given[1] as Hex, hash: given[2] as Hex }
}

// `import.meta.env` is replaced when the page is built, and is not there where it was not.
export const builtContracts = contractsOf({
  VITE_GATEWAY_ADDRESS: import.meta.env?.VITE_GATEWAY_ADDRESS,
  VITE_USDT_ADDRESS: import.meta.env?.VITE_USDT_ADDRESS,
  VITE_HASH_ADDRESS: import.meta.env?.VITE_HASH_ADDRESS,
})

/** Requires that what the service names is what was built in, where something was. @throws WalletError `altered` */
export function expectKnown(known: Contracts | null, named: Partial<Record<keyof Contracts, string>>): void {
  for (const [role, address] of Object.entries(named) as [keyof Contracts, string][])
    if (known !== null && address.toLowerCase() !== known[role])
      throw new WalletError('altered', `The service names ${address} as ${role}, and not ${known[role]}`)
}
