import { expect, test } from 'vitest'
import { createVerifySignature } from '../../../chain/signature/verify-signature.ts'
import { silentLog } from '../../../kernel/log.ts'
import { newAccount, useSignIns } from '../testing.ts'

const fixture = useSignIns()

test('a contract signs a message that names it, and no message that names nobody', async () => {
  const verifySignature = createVerifySignature(() => Promise.resolve(true), silentLog())
  fixture.deps = { ...fixture.deps, verifySignature }
  const wallet = newAccount()
  const signature = '0x1234'
  const message = await fixture.messageFor(wallet, false)
  expect(await fixture.refusal(await fixture.signedLogin(wallet, { signature, message }))).toBe(4005)
  expect(await fixture.refusal(await fixture.signedLogin(wallet, { signature }))).toBeNull()
})
