import { type CreditDeps, creditPayments, type CreditResult } from '../../chain/crediting/credit-payments.ts'
import { settlePayments } from './settle-payments.ts'

/**
 * Credits the oldest payments that are deep enough, each to its owner: what each becomes is decided by `settlePayments`, and posted by
 * `creditPayments` in the same transaction.
 */
export const creditConfirmed = (deps: CreditDeps): Promise<CreditResult> => creditPayments(deps, settlePayments)
