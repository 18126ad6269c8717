import { MINUTE_MS, WHOLE_UNIT } from '@candela/protocol/units'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv, mulDivUp } from '@candela/protocol/money/money'
import { readUsablePrice } from '../../chain/price/price.ts'
import type { VerifySignature } from '../../chain/signature/verify-signature.ts'
import { findResult } from '../../db/idempotency/run-idempotent.ts'
import type { Database } from '../../db/open.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { maskAddress } from '../../kernel/mask-address.ts'
import type { GroupCommit } from '../../ledger/commit.ts'
import type { DailyBudget } from './daily-budget.ts'
import type { PartyFinder } from './find-parties.ts'
import { hashTerms, type TransferDomain } from './hash-terms.ts'
import { transferPosting } from './postings.ts'

const endpoint = 'POST transfer/index'

/** How far ahead a deadline may be, in milliseconds: an unused signature must not stay valid for long. */
const DEADLINE_AHEAD_MS = 10 * MINUTE_MS
/** The smallest transfer by worth, in USDT base units. */
const MIN_WORTH = WHOLE_UNIT

export type TransferDeps = {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
  parties: PartyFinder
  ledger: GroupCommit
  budget: DailyBudget
  /** The domain that wallets sign the terms for. */
  domain: TransferDomain
  /** Tells whether an address signed a digest: as a plain key, or as a contract wallet asked on chain. */
  verifySignature: VerifySignature
}

type Input = HandlerInput<typeof endpoint>
type Caller = { memberId: bigint; now: Date; clientAddress: string }

/**
 * Moves value from the caller to another member, when the caller's own wallet signed exactly these terms: a session
 * alone moves nothing. Once for each request id; a repetition needs a good signature too, and gets the first answer,
 * even after the deadline.
 * @throws AppError 4005 signature, 4090 to 4092, 4201 balance, 4202 minimum, 4205 recipient, 4207 deadline, 4209 day's
 * transfers made, 5031 price paused, 5032 when a contract wallet cannot be asked, 400 for oneself and for a deadline too far ahead
 */
export async function makeTransfer(
  deps: TransferDeps,
  input: Input,
  { memberId, now, clientAddress }: Caller,
): Promise<Data<typeof endpoint>> {
  const { asset, amount, requestId, deadline, signature } = input
  const { sender, recipient } = await deps.parties.find({ memberId, to: input.to, now })
  if (recipient.id === sender.id) throw invalidInput('to', 'oneself')
  const signed = { from: sender.address, to: recipient.address, asset, amount, requestId, deadline }
  const digest = hashTerms(deps.domain, signed)
  // No connection is held while the chain may be asked.
  if (!(await deps.verifySignature({ address: sender.address, digest, signature }, { clientAddress }))) {
    throw new AppError(codes.signatureWrong)
  }
  // The signed terms identify the command. A UID and its address, or two signatures of the same terms, are the same.
  const terms = { to: recipient.address, asset, amount, deadline }
  const call = { memberId, requestId, endpoint, input: terms, now }
  const refusal = (await refusalOf(deps.db, input, now)) ?? (await deps.budget.take(memberId, now))
  if (refusal !== null) {
    // Done before the deadline passed, the price moved or the day's budget was used up: that is still the answer.
    const first = await findResult<Data<typeof endpoint>>(deps.db, call)
    if (first === undefined) throw refusal
    return first
  }
  const transferNo = deps.ids.orderNumber()
  const transfer = { transferNo, sender, recipient, asset, amount, requestId, deadline, signature }
  try {
    return await deps.ledger.commit({
      call,
      posting: transferPosting(transfer, now),
      result: {
        transfer: {
          transferNo,
          direction: 'out',
          asset,
          amount: fromBaseUnits(amount),
          fee: '0',
          counterparty: { uid: recipient.uid.toString(), maskedAddress: maskAddress(recipient.address) },
          createdAt: now.toISOString(),
        },
      },
    })
  } catch (error) {
    deps.budget.putBack(memberId)
    throw error
  }
}

async function refusalOf(db: Database, { asset, amount, deadline }: Input, now: Date): Promise<AppError | null> {
  if (deadline <= now) return new AppError(codes.termsExpired)
  if (deadline.getTime() - now.getTime() > DEADLINE_AHEAD_MS) return invalidInput('deadline', 'tooFarAhead')
  const price = await readUsablePrice(db, asset, now)
  if (price === null) return new AppError(codes.pricePaused, { asset })
  if (mulDiv(amount, price, WHOLE_UNIT) >= MIN_WORTH) return null
  const minimum = mulDivUp(MIN_WORTH, WHOLE_UNIT, price)
  return new AppError(codes.belowMinimum, { minimum: `${fromBaseUnits(minimum)} ${asset}` })
}
