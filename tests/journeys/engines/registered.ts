import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { openClient } from '@candela/client/client'
import { newcomer } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'

/** Somebody who has signed in once, by the plain routes of a development product. @returns the address */
export async function registered(product: Product): Promise<string> {
  const { account } = await newcomer(product)
  await openClient({ origin: product.origin, envelope: false }).signIn(account, rootInvitation)
  return account.address
}
