import { inFile, type Mutation } from '../../mutation.ts'

/** The prices and limits by which collateral is lent on, watched, sold and closed at. */
export const collateralMutations: readonly Mutation[] = [
  ...inFile('server/src/modules/lending/loan/prices.ts', [
    {
      name: 'a stale price liquidates',
      search: "pauseReason === 'stale' || pauseReason === 'noObservation'",
      replace: "pauseReason === 'noObservation'",
    },
  ]),
  ...inFile('server/src/modules/lending/project/ceiling.ts', [
    {
      name: 'one member may owe all that is lent on a collateral',
      search: 'const left = all < member ? all : member',
      replace: 'const left = all < member ? all : all + 0n * member',
    },
    {
      name: 'what all owe on a collateral has no bound',
      search: 'const left = all < member ? all : member',
      replace: 'const left = all < member ? member : member',
    },
    {
      name: 'leveraged loans do not count below the ceiling',
      search: 'from lever_total where collateral_asset = ${asset}) as all',
      replace: 'from lever_total where collateral_asset = ${asset} and change < 0) as all',
    },
    {
      name: 'what leveraged loans owe is lost when it is added up',
      search: 'select collateral_asset, sum(change) from taken',
      replace: 'select collateral_asset, max(change) from taken',
    },
    {
      name: 'many at once borrow more than the ceiling',
      search:
        '  await sql`select pg_advisory_xact_lock(${advisoryLocks.ceiling}, hashtext(${loan.asset}))`.execute(tx)\n',
      replace: '',
    },
    {
      name: 'a pair of an hour lends',
      search: 'const isYoung = depth === null ||',
      replace: 'const isYoung = depth === null || depth.usdt < 0n ? true : false &&',
    },
  ]),
  ...inFile('server/src/db/migrations/0774_lever_total.sql', [
    {
      name: 'what is paid back stays in the sum of leveraged loans',
      search: 'new.principal <> old.principal',
      replace: 'new.principal > old.principal',
    },
    {
      name: 'what is lent is not in the sum of leveraged loans',
      search: 'new.project_id is null and new.principal > 0',
      replace: 'new.project_id is null and new.principal < 0',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/audit-loans.ts', [
    {
      name: 'a sum of leveraged loans that is too high is not found',
      search: '    total === owed\n',
      replace: '    total >= owed\n',
    },
  ]),
  ...inFile('server/src/db/idempotency/run-idempotent.ts', [
    {
      name: 'free commands have no end',
      search: 'row !== undefined && row.made > limit',
      replace: 'row !== undefined && row.made > 1_000 * limit',
    },
    {
      name: 'the free commands of a day are those of a life',
      search: 'case when free_command.day = excluded.day then free_command.made + 1 else 1 end',
      replace: 'free_command.made + 1',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/repay.ts', [
    {
      name: 'a base unit is repaid',
      search: "if (!isDust('USDT', amount) || amount",
      replace: 'if (amount > 0n || amount',
    },
    {
      name: 'what ends a loan is refused for what was done before',
      search: "isFree: input.mode === 'amount'",
      replace: "isFree: input.mode !== 'next'",
    },
  ]),
  ...inFile('server/src/modules/lending/loan/borrow/borrow.ts', [
    {
      name: 'a project lends above the ceiling',
      search: '  await takeBelowCeiling(tx, { asset, memberId, amount },',
      replace: '  if (amount < 0n) await takeBelowCeiling(tx, { asset, memberId, amount },',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/lever/open-lever.ts', [
    {
      name: 'leverage is lent above the ceiling',
      search: '  await takeBelowCeiling(tx, { asset, memberId, amount },',
      replace: '  if (amount < 0n) await takeBelowCeiling(tx, { asset, memberId, amount },',
    },
  ]),
]
