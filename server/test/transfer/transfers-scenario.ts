import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { type TransferTerms, transferTypedData } from '@candela/protocol/chain/typed-data'
import { transaction } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { fakeClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { type AskContract, createVerifySignature } from '@candela/server/chain/signature/verify-signature'
import { transferHandlers } from '@candela/server/modules/transfer/endpoints'
import { hashTerms, transferDomain } from '@candela/server/modules/transfer/hash-terms'
import { type FixedPrice, withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

export const GATEWAY = '0x00000000000000000000000000000000000000aa'

type Person = { id: bigint; uid: string; address: Hex; account: PrivateKeyAccount }

/** The terms that one asks for: an amount of USDT to Bob unless told otherwise. Missing parts are made to fit and signed. */
export type Asked = Partial<TransferTerms> & { toText?: string; signature?: Hex }

/** Three people with 1,000 of each asset, and the transfer endpoints as the server binds them. */
export async function startTransferScenario(
  options: { askContract?: AskContract; funds?: bigint; poolSize?: number } = {},
) {
  const funds = options.funds ?? 1_000n * WHOLE
  const database = await createTestDatabase({ poolSize: options.poolSize ?? 8 })
  const clock = fakeClock('2026-03-01T12:00:00.000Z')
  const prices: Record<'JU' | 'HASH', FixedPrice | null> = {
    JU: { average: 2n * WHOLE },
    HASH: { average: WHOLE / 3n },
  }
  const ids = systemIds(clock)
  const db = withFixedPrices(database.db, () => prices, clock)
  const handlers = transferHandlers({
    db,
    ids,
    gateway: GATEWAY,
    verifySignature: createVerifySignature(options.askContract ?? (() => Promise.resolve(false)), silentLog()),
  })

  const join = async (joining: string) => {
    const address = joining.toLowerCase() as Hex
    const id = await addMember(db, address)
    for (const asset of ['JU', 'USDT', 'HASH'] as const) {
      const leg = { debit: platformAccount('custody', asset), credit: memberAccount(id, 'memberAvailable', asset) }
      const posting = {
        kind: 'deposit' as const,
        legs: [{ ...leg, amount: funds }],
        memo: testMemo(),
        occurredAt: clock.now(),
      }
      await transaction(db, (tx) => post(tx, { id: ids.uuid(), ...posting }))
    }
    const { uid } = await db.selectFrom('member').select('uid').where('id', '=', id).executeTakeFirstOrThrow()
    return { id, uid: uid.toString(), address }
  }
  const person = async (): Promise<Person> => {
    const account = privateKeyToAccount(generatePrivateKey())
    return { ...(await join(account.address)), account }
  }
  const [alice, bob, carol] = [await person(), await person(), await person()]

  const termsOf = (from: { address: Hex }, asked: Asked): TransferTerms => ({
    from: from.address,
    to: bob.address,
    asset: 'USDT',
    amount: 10n * WHOLE,
    requestId: ids.uuid(),
    deadline: new Date(clock.now().getTime() + 5 * 60_000),
    ...asked,
  })
  const contextOf = (member: { id: bigint }) =>
    ({ memberId: member.id, now: clock.now() }) as Parameters<(typeof handlers)['POST transfer/index']>[1]

  /** As the endpoint is called by a session of `from`. */
  const send = async (from: { id: bigint; address: Hex }, asked: Asked = {}) => {
    const terms = termsOf(from, asked)
    const signer = [alice, bob, carol].find(({ address }) => address === from.address)
    const signature =
      asked.signature ?? (await must(signer, 'a key signs').account.signTypedData(transferTypedData(terms, GATEWAY)))
    const { asset, amount, requestId, deadline } = terms
    const input = { to: asked.toText ?? terms.to, asset, amount, requestId, deadline, signature }
    return (await handlers['POST transfer/index'](input, contextOf(from))).transfer
  }

  return {
    db,
    clock,
    prices,
    alice,
    bob,
    carol,
    join,
    termsOf,
    /** Signs as a wallet does: exactly these terms. */
    sign: (by: Person, terms: TransferTerms) => by.account.signTypedData(transferTypedData(terms, GATEWAY)),
    digest: (terms: TransferTerms) => hashTerms(transferDomain(GATEWAY), terms),
    send,
    list: (member: { id: bigint }, page: { cursor?: string; limit?: number } = {}) =>
      handlers['GET transfer/list']({ limit: DEFAULT_PAGE_LIMIT, ...page }, contextOf(member)),
    recipient: (member: { id: bigint }, to: string) => handlers['GET transfer/recipient']({ to }, contextOf(member)),
    async available(member: { id: bigint }, asset: AssetCode = 'USDT') {
      return fromBaseUnits((await memberBalances(db, member.id))[asset].available)
    },
    async expectSound() {
      expect(await auditLedger(db)).toEqual([])
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}
