import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import { newcomer } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'

/** Somebody who has signed in once, by the plain routes of a development product. @returns the address */
export async function registered(product: Product): Promise<string> {
  const { account } = await newcomer(product)
  const ask = async (path: string, init?: RequestInit): Promise<{ data: unknown }> => {
    const answer = (await (await fetch(`${product.origin}/api/v1/${path}`, init)).json()) as {
      code: number
      data: unknown
    }
    if (answer.code !== 200) throw new Error(JSON.stringify(answer))
    return answer
  }
  const { data } = await ask(`auth/loginMessage?address=${account.address}`)
  const { message } = data as { message: string }
  const fields = {
    address: account.address,
    message,
    sign_message: await account.signMessage({ message }),
    code: rootInvitation,
  }
  await ask('auth/login', { method: 'POST', body: new URLSearchParams(fields) })
  return account.address
}
