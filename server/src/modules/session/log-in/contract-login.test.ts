import { expect, test } from 'vitest'
import { createVerifySignature } from '../../../chain/signature/verify-signature.ts'
import { silentLog } from '../../../kernel/log.ts'
import { newAccount, useSignIns } from '../testing.ts'

const world = useSignIns()

test('a contract signs a message that names it, and no message that names nobody', async () => {
  const verifySignature = createVerifySignature(() => Promise.resolve(true), silentLog())
  world.deps = { ...world.deps, verifySignature }
  const wallet = newAccount()
  const signature = '0x1234'
  const message = await world.messageFor(wallet, false)
  expect(await world.refusal(await world.signedLogin(wallet, { signature, message }))).toBe(4005)
  expect(await world.refusal(await world.signedLogin(wallet, { signature }))).toBeNull()
})
