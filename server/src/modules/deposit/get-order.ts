import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { HOUR_MS } from '@candela/protocol/units'
import type { Address } from 'viem'
import { type FollowerLimits, isChainBehind } from '../../chain/follow/status.ts'
import { runIdempotent } from '../../db/idempotency/run-idempotent.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { readSettings, type Settings } from '../../db/settings.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { readDeposits } from './read-deposits.ts'
import { type DepositContracts, whatToSend } from './what-to-send.ts'

const endpoint = 'POST deposit/getOrder'
const MICRO = 10n ** 12n

export type GetDepositOrderDeps = {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
  contracts: DepositContracts
  /** Beyond these what we know of the chain is too old to notice a payment. */
  chainLimits: FollowerLimits
}

type Answer = Data<typeof endpoint>
type GetOrderInput = HandlerInput<typeof endpoint>
type Caller = { memberId: bigint; now: Date }

/**
 * Announces a deposit, once for each request id, and says exactly what the wallet has to send and, for a token, to
 * approve. A repetition gets the same deposit as it is by then. Announcing promises nothing: what comes in is credited
 * with or without it.
 * @throws AppError 4202 minimum, 4208 too many unpaid, 4090 to 4092, 4212, 5032 chain behind
 */
export async function getDepositOrder(
  deps: GetDepositOrderDeps,
  input: GetOrderInput,
  { memberId, now }: Caller,
): Promise<Answer> {
  return transaction(deps.db, async (tx) => {
    const call = { memberId, requestId: input.requestId, endpoint, input, isFree: true, now }
    const { depositNo } = await runIdempotent(tx, call, () => announce(tx, deps, input, { memberId, now }))
    const [deposit] = await readDeposits(tx, { memberId, depositNo, limit: 1 })
    const { address } = await tx
      .selectFrom('member')
      .select('address')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
    return {
      deposit: must(deposit, `deposit ${depositNo} of a request id exists`).deposit,
      ...whatToSend(deps.contracts, { ...input, depositNo, customer: address as Address }),
    }
  })
}

async function announce(
  tx: Tx,
  deps: GetDepositOrderDeps,
  { asset, amount }: GetOrderInput,
  { memberId, now }: Caller,
): Promise<{ depositNo: string }> {
  if (await isChainBehind(tx, deps.chainLimits, now)) throw new AppError(codes.chainBehind)
  const settings = await readSettings(tx)
  const minimum = minimumOf(settings, asset)
  if (amount < minimum) throw new AppError(codes.belowMinimum, { minimum: `${fromBaseUnits(minimum)} ${asset}` })
  await refuseHoarding(tx, memberId, settings, now)
  const depositNo = deps.ids.orderNumber()
  await tx
    .insertInto('deposit')
    .values({
      deposit_no: depositNo,
      member_id: memberId,
      asset,
      amount,
      created_at: now,
      lapses_at: new Date(now.getTime() + settings.depositHours * HOUR_MS),
    })
    .execute()
  return { depositNo }
}

/** An announcement is free, so a member may have only so many that are neither paid nor lapsed. */
async function refuseHoarding(tx: Tx, memberId: bigint, settings: Settings, now: Date): Promise<void> {
  // Calls of one member come one after the other from here on, so that those made at once are counted too.
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().execute()
  const open = await tx
    .selectFrom('deposit as d')
    .leftJoin('deposit_receipt as r', 'r.deposit_id', 'd.id')
    .select('d.id')
    .where('d.member_id', '=', memberId)
    .where('d.created_at', '>', new Date(now.getTime() - settings.depositHours * HOUR_MS))
    .where('r.chain_event_id', 'is', null)
    .limit(settings.openDeposits)
    .execute()
  if (open.length >= settings.openDeposits) throw new AppError(codes.tooManyDeposits, { limit: settings.openDeposits })
}

const settingNames = {
  JU: 'depositMinMicroJu',
  USDT: 'depositMinMicroUsdt',
  HASH: 'depositMinMicroHash',
} as const

/** In base units. */
const minimumOf = (settings: Settings, asset: AssetCode): bigint => BigInt(settings[settingNames[asset]]) * MICRO
