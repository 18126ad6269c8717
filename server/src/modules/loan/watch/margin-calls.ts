import { utcDay } from '@candela/protocol/calendar'
import { priceAtLine, reaches } from '@candela/protocol/credit/lines'
import type { CollateralAsset } from '@candela/protocol/credit/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Notice } from '../../../db/notify.ts'
import type { Tx } from '../../../db/open.ts'
import { type LoanRecord, type LoanRow, securedOf } from '../record/loan-record.ts'
import type { ChangeDeps } from '../record/change-loan.ts'
import { chargeStep } from '../record/steps.ts'
import { readDues } from '../record/store.ts'

const BATCH = 500

type Watched = { asset: CollateralAsset; price: bigint; now: Date }

/**
 * Tells borrowers whose loans have reached their safety line, once until they are below it again.
 * @param after the last loan that was looked at
 * @returns the last loan that was looked at; null when none was left
 */
export async function callMargins(
  tx: Tx,
  { notify }: Pick<ChangeDeps, 'notify'>,
  { asset, price, now }: Watched,
  after: bigint,
): Promise<bigint | null> {
  const rows = await tx
    .selectFrom('loan')
    .selectAll()
    .where('collateral_asset', '=', asset)
    .where('closed_at', 'is', null)
    .where('warned_at', 'is', null)
    .where('safety_price', '>=', price)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .forNoKeyUpdate()
    .execute()
  const reached = (await chargedOf(tx, rows, now)).filter((loan) => isReached(loan.row, price))
  if (reached.length > 0) {
    const ids = reached.map(({ row }) => row.id)
    await tx.updateTable('loan').set({ warned_at: now }).where('id', 'in', ids).execute()
    await notify(tx, ...reached.map(({ row }) => marginCall(row, price, now)))
  }
  return rows.at(-1)?.id ?? null
}

/** Forgets the margin calls of loans that are safe again. @returns as `callMargins` does */
export async function clearMargins(tx: Tx, { asset, price, now }: Watched, after: bigint): Promise<bigint | null> {
  const rows = await tx
    .selectFrom('loan')
    .selectAll()
    .where('collateral_asset', '=', asset)
    .where('closed_at', 'is', null)
    .where('warned_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .forNoKeyUpdate()
    .execute()
  const safe = (await chargedOf(tx, rows, now)).filter((loan) => !isReached(loan.row, price))
  if (safe.length > 0) {
    const ids = safe.map(({ row }) => row.id)
    await tx.updateTable('loan').set({ warned_at: null }).where('id', 'in', ids).execute()
  }
  return rows.at(-1)?.id ?? null
}

const isReached = (row: LoanRow, price: bigint): boolean => reaches(securedOf(row), price, BigInt(row.safety_ppm))

async function chargedOf(tx: Tx, rows: readonly LoanRow[], now: Date): Promise<LoanRecord[]> {
  const dues = await readDues(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => chargeStep({ row, dues: dues.get(row.id) ?? [] }, utcDay(now), now).loan)
}

function marginCall(row: LoanRow, price: bigint, now: Date): Notice {
  const secured = securedOf(row)
  return {
    kind: 'marginCall',
    params: {
      loanNo: row.loan_no,
      asset: row.collateral_asset,
      price: fromBaseUnits(price),
      liquidationPrice: fromBaseUnits(priceAtLine(secured, BigInt(row.clearing_ppm)) ?? 0n),
      safePrice: fromBaseUnits(priceAtLine(secured, BigInt(row.safety_ppm)) ?? 0n),
    },
    memberId: row.member_id,
    source: `loan:${row.loan_no}:margin-call:${now.toISOString()}`,
    at: now,
  }
}
