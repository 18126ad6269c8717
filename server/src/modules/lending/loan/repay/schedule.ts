import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { type Installment, minimumPrincipal, type ScheduleInput, scheduleOf } from '@candela/protocol/lending/schedule'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { rateText } from '../../../../db/lending-settings.ts'
import { runIdempotent } from '../../../../db/idempotency/run-idempotent.ts'
import { type Database, transaction } from '../../../../db/open.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Caller, LoanDeps } from '../deps.ts'
import { asOfToday } from '../orders/describe-loan.ts'
import { showLoan } from '../orders/get-loan.ts'
import { changeLoan } from '../record/change-loan.ts'
import { debtOf, loanOf, type LoanRecord, nextDueOf } from '../record/loan-record.ts'
import { duesOf, scheduleInputOf } from '../record/schedule-dues.ts'
import { unchanged } from '../record/steps.ts'
import { readLoan } from '../record/store.ts'

const endpoint = 'POST lending/installment'

/** The whole schedule of turning a loan into installments today. @throws AppError 404, 4202, 4303 */
export async function getSchedule(
  db: Database,
  { loanNo, count }: HandlerInput<'GET lending/schedule'>,
  { memberId, now }: Caller,
): Promise<Data<'GET lending/schedule'>> {
  const record = asOfToday(await readLoan(db, { loanNo, memberId }), now)
  const input = scheduleInput(record, count, utcDay(now))
  const installments = scheduleOf(input)
  const sum = (amountOf: (one: Installment) => bigint) => installments.reduce((total, one) => total + amountOf(one), 0n)
  return {
    principal: fromBaseUnits(input.principal),
    interest: fromBaseUnits(input.interest),
    rate: rateText(input.rate_ppm),
    from: input.from,
    interestThrough: input.interestThrough,
    installments: installments.map((one) => ({
      number: one.number,
      dueOn: one.dueOn,
      payment: fromBaseUnits(one.payment),
      interest: fromBaseUnits(one.interest),
      principal: fromBaseUnits(one.principal),
      fee: fromBaseUnits(one.fee),
      left: fromBaseUnits(one.left),
    })),
    totalInterest: fromBaseUnits(sum(({ interest }) => interest)),
    totalFees: fromBaseUnits(sum(({ fee }) => fee)),
    total: fromBaseUnits(sum(({ payment, fee }) => payment + fee)),
  }
}

/** Turns a loan into equal monthly installments. Once for each request id. @throws AppError 404, 4090 to 4092, 4202, 4212, 4303 */
export async function turnIntoInstallments(
  deps: LoanDeps,
  input: HandlerInput<typeof endpoint>,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  const { loanNo, count, requestId } = input
  await transaction(deps.db, (tx) =>
    runIdempotent(tx, { memberId, requestId, endpoint, input, now, isFree: true }, async () => {
      await changeLoan(tx, { loanNo, memberId }, now, (loan, today) => {
        scheduleInput(loan, count, today)
        return { ...unchanged(duesOf(loan, count, today)), done: { kind: 'schedule', count } }
      })
      return {}
    }),
  )
  return { loan: await showLoan(deps.db, loanNo, { memberId, now }) }
}

/** Only an ordinary loan that is not late, and only once; of at least the handling fees. @throws AppError 4202, 4303 */
function scheduleInput(record: LoanRecord, count: number, today: string): ScheduleInput {
  const { row, dues } = record
  const next = nextDueOf(record)
  const { principal, charges } = debtOf(row)
  const { terms } = loanOf(record)
  const isOrdinary = row.kind === 'project' && row.state === 'active' && dues.length === 1
  if (!isOrdinary || next === undefined || next.dueOn < today || charges > 0n || principal === 0n) {
    throw new AppError(codes.loanState)
  }
  const least = minimumPrincipal(count, terms.installmentFee)
  if (principal < least) throw new AppError(codes.belowMinimum, { minimum: `${fromBaseUnits(least)} USDT` })
  return scheduleInputOf(record, count, today)
}
