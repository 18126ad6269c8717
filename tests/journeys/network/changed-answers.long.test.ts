/** An API whose answers were changed: the built page asks the wallet for nothing that it does not know. */
import { expect } from 'vitest'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { connectInvited, tokenOf } from '../support/steps.ts'

const elsewhere = 'https://elsewhere.example'
const withOtherRpcs = journeysOf(ownProduct({ mode: 'production', env: { RPC_URLS: elsewhere } }))
const withOtherLogin = journeysOf(
  ownProduct({ mode: 'production', env: { PUBLIC_ORIGIN: 'http://elsewhere.example' } }),
)

let person: Newcomer

withOtherRpcs.journey(
  'an RPC that was not built in is given to no wallet, and it is said',
  async () => {
    person = await newcomer(withOtherRpcs.product(), { chainId: 1, knowsChain: false })
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    await session.open()
    await session.connectButton().click()
    await session.waitForToast('wallet.altered')
    expect(person.wallet.calls).toContain('wallet_requestPermissions')
    expect(person.wallet.calls.filter((method) => /Chain$|sign|send/.test(method))).toEqual([])
    expect(await session.dialog('network.title').count()).toBe(0)
  },
)

withOtherLogin.journey(
  'a login of another site is not signed, and it is said',
  async () => {
    person = await newcomer(withOtherLogin.product())
    return { wallets: [person.pageWallet] }
  },
  async (session) => {
    await connectInvited(session)
    await session.button('invite.confirm', session.dialog('invite.title')).click()
    await session.waitForToast('wallet.altered')
    expect(person.wallet.calls).toContain('wallet_requestPermissions')
    expect(person.wallet.calls).not.toContain('personal_sign')
    expect(await tokenOf(session)).toBeNull()
  },
)
