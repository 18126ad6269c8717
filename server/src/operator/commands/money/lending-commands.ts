import { sharePrice } from '@candela/protocol/fund/fund'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import { readPrices } from '../../../chain/price/price.ts'
import { OperatorError } from '../../../kernel/errors.ts'
import { compareFund } from '../../../modules/fund/audit-fund.ts'
import { addCapital, listDeficits } from '../../../modules/fund/add-capital.ts'
import { readFund } from '../../../modules/fund/read-fund.ts'
import { compareLoans } from '../../../modules/lending/loan/audit-loans.ts'
import { listAtRisk } from '../../../modules/lending/loan/watch/list-at-risk.ts'
import type { Bindings } from '../../run.ts'

const LIMIT = 50
/** More than an operator reads at once is one incident. */
const MAX_LINES = 20

type Name = 'fund show' | 'fund deficits' | 'fund add-capital' | 'loan risk' | 'loan audit'

export const lendingCommands: Bindings<Name> = {
  'fund show': async (tx) => {
    const fund = await readFund(tx)
    return {
      sharePrice: fromBaseUnits(sharePrice(fund)),
      assets: fromBaseUnits(fund.assets),
      shares: fromBaseUnits(fund.shares),
      idle: fromBaseUnits(fund.idle),
      lent: fromBaseUnits(fund.claims < 0n ? 0n : fund.claims),
      pendingInterest: fromBaseUnits(fund.pending),
      reserve: fromBaseUnits(fund.reserve),
    }
  },
  'fund deficits': (tx) => listDeficits(tx),
  'fund add-capital': async (tx, { amount: typed, note }, { now }) => {
    const parsed = parseAmount(typed)
    if (!parsed.ok || parsed.amount === 0n) throw new OperatorError(`"${typed}" is not an amount of USDT`)
    const { amount } = parsed
    const done = await addCapital(tx, { amount, note, cause: `${fromBaseUnits(amount)}:${note}` }, now)
    if (done.result === 'again') throw new OperatorError('this was done before: another note makes it another one')
    if (done.result === 'short') {
      throw new OperatorError(`the operator has ${fromBaseUnits(done.own)} USDT of its own, and no more can be added`)
    }
    return { added: fromBaseUnits(amount), reserve: fromBaseUnits(done.reserve), ownLeft: fromBaseUnits(done.own) }
  },
  'loan risk': async (tx, _input, { now }) => listAtRisk(tx, await readPrices(tx, now), LIMIT, now),
  'loan audit': async (tx) => {
    const findings = [...(await compareLoans(tx)), ...(await compareFund(tx))]
    const lines = findings
      .slice(0, MAX_LINES)
      .map(({ rule, subject, details }) => `\n  ${rule}: ${subject}: ${details}`)
    if (findings.length > 0) throw new OperatorError(`loans and ledger differ (${findings.length}):${lines.join('')}`)
    return { result: 'all loans and the fund agree with the ledger' }
  },
}
