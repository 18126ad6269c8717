import { erc20Abi } from '@candela/protocol/abi/erc20'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { readFollowerStatus } from '@candela/server/chain/follow/status'
import type { Database } from '@candela/server/db/open'
import { auditLedger } from '@candela/server/ledger/audit'
import { readBooks } from '@candela/server/modules/reconcile/read-books'
import { createPublicClient, http } from 'viem'
import { withDatabase } from './database.ts'
import type { Product } from './products/product.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'

/**
 * Expects that every rule of the ledger holds and that, asset by asset, custody and what is being credited are together what
 * the payment contract holds. Waits first until all that had been paid by now is credited. Other people may go on paying:
 * both sides are read as of one block. @throws with the differences
 */
export async function expectBooksToAgree(product: Product): Promise<void> {
  await untilPaymentsAreCredited(product)
  const differences = await differencesInBooks(product)
  if (differences.length > 0) throw new Error(`The books differ:\n${differences.join('\n')}`)
}

/** Lists what does not agree, a line each; empty is good. */
function differencesInBooks(product: Product): Promise<string[]> {
  return withDatabase(product, async (db) => {
    const findings = (await auditLedger(db)).map(({ rule, subject, details }) => `${rule}: ${subject}: ${details}`)
    const status = await readFollowerStatus(db, new Date())
    if (status === null || status.haltedReason !== null || status.failing > 0)
      findings.push(`The chain is not followed: ${status?.haltedReason ?? `${status?.failing ?? 'all'} payments fail`}`)
    const books = await readBooks(db, () => Promise.resolve(null))
    if (books === null) return [...findings, 'No block has been followed']
    const held = await heldAt(product, books.at.number)
    if (held.JU === 0n) findings.push('The payment contract holds no JU')
    for (const asset of assetCodes)
      if (held[asset] !== books.expected[asset])
        findings.push(`${asset}: the books say ${books.expected[asset]}, the contract holds ${held[asset]}`)
    return findings
  })
}

/** The same when nobody pays any more: nothing is being credited then, so custody alone is what the contract holds. */
export async function expectFinalBooksToAgree(product: Product): Promise<void> {
  await untilPaymentsAreCredited(product)
  await withDatabase(product, (db) =>
    waitUntil('nothing waits to be credited', async () => (await waitingEvents(db)).length === 0),
  )
  await expectBooksToAgree(product)
}

function untilPaymentsAreCredited(product: Product): Promise<void> {
  return withDatabase(product, async (db) => {
    const head = await createPublicClient({ transport: http(product.rpcUrl) }).getBlockNumber({ cacheTime: 0 })
    await waitUntil(`block ${head} is followed`, async () => {
      const status = await readFollowerStatus(db, new Date())
      return status !== null && status.followed >= head
    })
    const payments = new Set(await waitingEvents(db))
    await waitUntil('all that has been paid is credited', async () =>
      (await waitingEvents(db)).every((id) => !payments.has(id)),
    )
  })
}

async function waitingEvents(db: Database): Promise<bigint[]> {
  const events = await db.selectFrom('chain_event').select('id').where('state', '=', 'recorded').execute()
  return events.map(({ id }) => id)
}

async function heldAt(
  { rpcUrl, contracts: { gateway, usdt, hash } }: Product,
  blockNumber: bigint,
): Promise<Record<AssetCode, bigint>> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const token = (address: `0x${string}`) =>
    client.readContract({ abi: erc20Abi, address, functionName: 'balanceOf', args: [gateway], blockNumber })
  const [JU, USDT, HASH] = await Promise.all([
    client.getBalance({ address: gateway, blockNumber }),
    token(usdt),
    token(hash),
  ])
  return { JU, USDT, HASH }
}
