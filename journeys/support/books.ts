import { erc20Abi } from '@candela/protocol/abi/erc20'
import { type AssetCode, assetCodes } from '@candela/protocol/assets'
import { readFollowerStatus } from '@candela/server/chain/status'
import { type Database, openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { createPublicClient, http } from 'viem'
import { expect, vi } from 'vitest'

/** Where the books are and what they must agree with. */
export type BooksOf = {
  databaseUrl: string
  rpcUrl: string
  contracts: { gateway: `0x${string}`; usdt: `0x${string}`; hash: `0x${string}` }
}

/**
 * Expects that every rule of the ledger holds and that custody is, asset by asset, what the payment contract holds.
 * Waits first until everything that was paid is credited.
 */
export async function expectBooksToAgree({ databaseUrl, rpcUrl, contracts }: BooksOf): Promise<void> {
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 2 })
  try {
    await vi.waitFor(() => expectNothingWaits(db), { timeout: 20_000, interval: 250 })
    expect(await auditLedger(db)).toEqual([])
    const held = await heldOnChain(rpcUrl, contracts)
    const owed = await Promise.all(
      assetCodes.map(async (asset) => [asset, -(await accountBalance(db, platformAccount('custody', asset)))] as const),
    )
    expect(Object.fromEntries(owed)).toEqual(held)
    expect(held.JU).toBeGreaterThan(0n)
  } finally {
    await db.destroy()
  }
}

async function expectNothingWaits(db: Database): Promise<void> {
  const status = await readFollowerStatus(db, new Date())
  expect(status).toMatchObject({ haltedReason: null, waiting: 0, failing: 0 })
  expect(status?.lag_blocks).toBeLessThanOrEqual(1n)
}

async function heldOnChain(
  rpcUrl: string,
  { gateway, usdt, hash }: BooksOf['contracts'],
): Promise<Record<AssetCode, bigint>> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const token = (address: `0x${string}`) =>
    client.readContract({ abi: erc20Abi, address, functionName: 'balanceOf', args: [gateway] })
  const [JU, USDT, HASH] = await Promise.all([client.getBalance({ address: gateway }), token(usdt), token(hash)])
  return { JU, USDT, HASH }
}
