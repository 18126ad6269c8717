/** The accounts of the usual development mnemonic: everybody knows their keys, so they hold play money only. */
import { bytesToHex, type Hex } from 'viem'
import { type HDKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export const developmentMnemonic = 'test test test test test test test test test test test junk'

/** One of the ten accounts that the development chain funds, or of the service's others behind them. */
export interface TestAccount {
  index: number
  /** Accounts 0 and 1 belong to the service, as do those behind the ten; the others are people. */
  role: 'owner' | 'payer' | 'user' | ServiceRole
  address: Hex
  privateKey: Hex
  account: PrivateKeyAccount
}

const serviceRoles = ['attester', 'standbyPayer', 'standbyAttester', 'guardian'] as const
export type ServiceRole = (typeof serviceRoles)[number]

let derived: readonly TestAccount[] | undefined

/** All ten, in the order of their index. Derived on first use. */
export const testAccounts = (): readonly TestAccount[] =>
  (derived ??= Array.from({ length: USERS_END }, (_, nth) =>
    derive(nth, nth === 0 ? 'owner' : nth === 1 ? 'payer' : 'user'),
  ))

/** An account of the service behind the ten, which the development chain does not fund. */
export const serviceAccount = (role: ServiceRole): TestAccount => derive(USERS_END + serviceRoles.indexOf(role), role)

const USERS_END = 10

/** Kept, because stretching the words takes a moment. */
let parent: HDKey | undefined

function derive(index: number, role: TestAccount['role']): TestAccount {
  parent ??= mnemonicToAccount(developmentMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const key = parent.deriveChild(index).privateKey
  if (key === null) throw new Error(`Account ${index} of the development mnemonic has no key`)
  const account = privateKeyToAccount(bytesToHex(key))
  return { index, role, address: account.address, privateKey: bytesToHex(key), account }
}
