import { sharePrice } from '@candela/protocol/fund/fund'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import { readPrices } from '../../chain/price/price.ts'
import { OperatorError } from '../../kernel/errors.ts'
import { compareFund } from '../../modules/fund/audit-fund.ts'
import { addCapital, listDeficits } from '../../modules/fund/add-capital.ts'
import { readFund } from '../../modules/fund/read-fund.ts'
import { compareLoans } from '../../modules/loan/audit-loans.ts'
import { listAtRisk } from '../../modules/loan/watch/list-at-risk.ts'
import type { Run } from '../run.ts'

const LIMIT = 50
/** More than an operator reads at once is one incident. */
const MAX_LINES = 20

export function addCredit(program: Command, run: Run): void {
  addFund(program, run)
  addLoans(program, run)
}

function addFund(program: Command, run: Run): void {
  const group = program.command('fund').description('the money fund, its reserve and its deficits')
  group
    .command('show', { isDefault: true })
    .description('what the fund has, what of it is lent, and what its reserve has')
    .action(() =>
      run({ command: 'fund show', signers: 0 }, {}, async (tx) => {
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
      }),
    )
  group
    .command('deficits')
    .description('debts that neither collateral nor reserve paid, newest first')
    .action(() => run({ command: 'fund deficits', signers: 0 }, {}, (tx) => listDeficits(tx)))
  group
    .command('add-capital')
    .description('put the operator’s own money into the reserve, which pays deficits first')
    .argument('<usdt>', 'how much of what the operator has earned or put in')
    .requiredOption('--note <text>', 'why, and a name of its own: the same words are done once')
    .action((typed: string, { note }: { note: string }) =>
      run({ command: 'fund add-capital', signers: 2 }, { amount: typed, note }, async (tx, now) => {
        const parsed = parseAmount(typed)
        if (!parsed.ok || parsed.amount === 0n) throw new OperatorError(`"${typed}" is not an amount of USDT`)
        const { amount } = parsed
        const done = await addCapital(tx, { amount, note, cause: `${fromBaseUnits(amount)}:${note}` }, now)
        if (done.result === 'again') throw new OperatorError('this was done before: another note makes it another one')
        if (done.result === 'short') {
          throw new OperatorError(
            `the operator has ${fromBaseUnits(done.own)} USDT of its own, and no more can be added`,
          )
        }
        return { added: fromBaseUnits(amount), reserve: fromBaseUnits(done.reserve), ownLeft: fromBaseUnits(done.own) }
      }),
    )
}

function addLoans(program: Command, run: Run): void {
  const group = program.command('loan').description('loans of all members')
  group
    .command('risk', { isDefault: true })
    .description(`the ${LIMIT} open loans that are nearest to their clearing line, nearest first`)
    .action(() =>
      run({ command: 'loan risk', signers: 0 }, {}, async (tx, now) =>
        listAtRisk(tx, await readPrices(tx, now), LIMIT, now),
      ),
    )
  group
    .command('audit')
    .description('compare every loan, the fund and its reserve with the ledger')
    .action(() =>
      run({ command: 'loan audit', signers: 0 }, {}, async (tx) => {
        const findings = [...(await compareLoans(tx)), ...(await compareFund(tx))]
        const lines = findings
          .slice(0, MAX_LINES)
          .map(({ rule, subject, details }) => `\n  ${rule}: ${subject}: ${details}`)
        if (findings.length > 0)
          throw new OperatorError(`loans and ledger differ (${findings.length}):${lines.join('')}`)
        return { result: 'all loans and the fund agree with the ledger' }
      }),
    )
}
