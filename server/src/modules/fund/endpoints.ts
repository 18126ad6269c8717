import type { Handlers } from '../../kernel/handler.ts'
import { getInfo } from './get-info.ts'
import { listBills } from './list-bills.ts'
import { type FundDeps, transferIn } from './transfer-in.ts'
import { transferOut } from './transfer-out.ts'

export function fundHandlers({
  db,
  isCharged,
}: FundDeps): Handlers<
  'GET finance/info' | 'POST finance/transferIn' | 'POST finance/transferOut' | 'GET finance/bills'
> {
  return {
    'GET finance/info': (_input, { memberId, now }) => getInfo(db, memberId, now),
    'POST finance/transferIn': (input, { memberId, now }) => transferIn({ db, isCharged }, input, { memberId, now }),
    'POST finance/transferOut': (input, { memberId, now }) => transferOut(db, input, { memberId, now }),
    'GET finance/bills': (input, { memberId, now }) => listBills(db, input, { memberId, now }),
  }
}
