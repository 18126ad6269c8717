/** The accounts of the usual development mnemonic: everybody knows their keys, so they hold play money only. */
import { bytesToHex, type Hex } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

export const developmentMnemonic = 'test test test test test test test test test test test junk'

/** One of the ten accounts that the development chain funds, or of the service's others behind them. */
export interface TestAccount {
  index: number
  /** Accounts 0 and 1 belong to the service, as do those behind the ten; the others are people. */
  role: 'owner' | 'payer' | 'user' | ServiceRole
  address: Hex
  privateKey: Hex
  account: HDAccount
}

const serviceRoles = ['attester', 'standbyPayer', 'standbyAttester', 'guardian'] as const
export type ServiceRole = (typeof serviceRoles)[number]

let derived: readonly TestAccount[] | undefined

/** All ten, in the order of their index. Derived on first use, because stretching the words takes a moment. */
export const testAccounts = (): readonly TestAccount[] =>
  (derived ??= Array.from({ length: USERS_END }, (_, nth) =>
    derive(nth, nth === 0 ? 'owner' : nth === 1 ? 'payer' : 'user'),
  ))

/** An account of the service behind the ten, which the development chain does not fund. */
export const serviceAccount = (role: ServiceRole): TestAccount => derive(USERS_END + serviceRoles.indexOf(role), role)

const USERS_END = 10

function derive(index: number, role: TestAccount['role']): TestAccount {
  const account = mnemonicToAccount(developmentMnemonic, { addressIndex: index })
  const key = account.getHdKey().privateKey
  if (key === null) throw new Error(`Account ${index} of the development mnemonic has no key`)
  return { index, role, address: account.address, privateKey: bytesToHex(key), account }
}
