/** The accounts of the usual development mnemonic: everybody knows their keys, so they hold play money only. */
import { bytesToHex, type Hex } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

export const developmentMnemonic = 'test test test test test test test test test test test junk'

/** One of the ten accounts that the development chain funds. */
export interface TestAccount {
  index: number
  /** Accounts 0 and 1 belong to the service; the others are people. */
  role: 'owner' | 'payer' | 'user'
  address: Hex
  privateKey: Hex
  account: HDAccount
}

let derived: readonly TestAccount[] | undefined

/** All ten, in the order of their index. Derived on first use, because stretching the words takes a moment. */
export const testAccounts = (): readonly TestAccount[] =>
  (derived ??= Array.from({ length: 10 }, (_, nth) => derive(nth)))

function derive(index: number): TestAccount {
  const account = mnemonicToAccount(developmentMnemonic, { addressIndex: index })
  const key = account.getHdKey().privateKey
  if (key === null) throw new Error(`Account ${index} of the development mnemonic has no key`)
  const role = index === 0 ? 'owner' : index === 1 ? 'payer' : 'user'
  return { index, role, address: account.address, privateKey: bytesToHex(key), account }
}
