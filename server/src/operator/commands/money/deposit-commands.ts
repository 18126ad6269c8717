import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import { AppError, OperatorError } from '../../../kernel/errors.ts'
import { type NotTakenBack, takeBack } from '../../../modules/deposit/take-back.ts'
import type { Bindings } from '../../run.ts'

export const depositCommands: Bindings<'deposit take-back'> = {
  'deposit take-back': async (tx, { event, member, platform, note }, { now }) => {
    if (!/^[1-9][0-9]{0,17}$/.test(event)) throw new OperatorError(`"${event}" is not an id`)
    const parts = { fromMember: readAmount(member), fromPlatform: readAmount(platform) }
    const taken = await takeBack(tx, { eventId: BigInt(event), ...parts, note }, now).catch(refuseWhenShort)
    if (typeof taken === 'string') throw new OperatorError(`payment ${event} ${notTakenBack[taken]}`)
    return { event, ...taken, amount: fromBaseUnits(taken.amount), member, platform }
  },
}

const notTakenBack: Record<NotTakenBack, string> = {
  unknown: 'is no credited payment that has left the chain: see `chain trouble`',
  otherSum: 'is of another amount than --member and --platform together',
  noMember: 'went to nobody from whom it could be taken: the platform bears it',
}

function readAmount(typed: string): bigint {
  const parsed = parseAmount(typed)
  if (parsed.ok) return parsed.amount
  throw new OperatorError(`"${typed}" is not an amount`)
}

/** @throws what it was given; of a member who has too little, in words */
function refuseWhenShort(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== codes.notEnoughBalance) throw error
  const available = String(error.params['available'])
  throw new OperatorError(`the member has ${available} left: --platform says what the platform bears of it`)
}
