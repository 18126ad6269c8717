import { inFile, type Mutation } from '../mutation.ts'

/** What collateral is lent on, watched, sold and closed at. */
export const collateralMutations: readonly Mutation[] = [
  ...inFile('server/src/modules/lending/loan/prices.ts', [
    {
      name: 'a stale price liquidates',
      search: "pauseReason === 'stale' || pauseReason === 'noObservation'",
      replace: "pauseReason === 'noObservation'",
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/liquidate-step.ts', [
    {
      name: 'a position whose term is over stays',
      search: "if (kind === 'lever' && daysBetween(due_on, today) > grace_days) return 'term'\n",
      replace: '',
    },
    {
      name: 'a sale goes on although the price has recovered',
      search: 'goesOn: plan.incomplete && isStill',
      replace: 'goesOn: plan.incomplete || isStill',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/watch-loans.ts', [
    {
      name: 'loans in default are not looked for',
      search: '[findAtLine, findLate]',
      replace: '[findAtLine]',
    },
    {
      name: 'more is sold in one look than the pair bears',
      search: 'left.usdt -= paid',
      replace: 'left.usdt -= 0n * paid',
    },
    {
      name: 'small loans far beyond their line come first',
      search: 'by: sql`${OWED} * ${PPM * WHOLE_UNIT}::numeric - clearing_ppm * collateral * ${price}::numeric`',
      replace: 'by: sql`watch_price`',
    },
    {
      name: 'a sale that has begun is not gone on with',
      search: "sql<boolean>`state = 'liquidating'`",
      replace: "sql<boolean>`state = 'liquidated'`",
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/liquidate-loans.ts', [
    {
      name: 'a default is sold while the price is paused',
      search: 'const late = price.paused ?',
      replace: 'const late = price.spot === null ?',
    },
    {
      name: 'a line is sold while spot is pushed',
      search: 'const held = isSpotAway(price) ?',
      replace: 'const held = price.spot === null ?',
    },
    {
      name: 'the desk pays more in a look than the pair bears',
      search: 'stock < market.lookUsdt ? stock : market.lookUsdt',
      replace: 'stock',
    },
    {
      name: 'a late loan at its line waits for the price',
      search: "reasons.set(id, 'line')",
      replace: 'reasons.delete(id)',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/hold-back.ts', [
    {
      name: 'who keeps swinging a pair is never sold',
      search: 'else loan_wait.since end',
      replace: 'else excluded.since end',
    },
    {
      name: 'a line waits once in its life',
      search: 'loan_wait.since <= ${new Date(now.getTime() - HOUR_MS)}',
      replace: 'loan_wait.since <= ${new Date(0)}',
    },
    {
      name: 'a default waits no longer than a line',
      search: "cause === 'line' || cause === 'call'",
      replace: "cause !== 'call' || cause.length > 0",
    },
  ]),
  ...inFile('protocol/lending/sale-price.ts', [
    {
      name: 'a pushed block sells for a fraction after the wait',
      search: 'least(greatest(spot, (median5 * (BPS - AWAY_BPS)) / BPS), average30, averageDay)',
      replace: 'least(spot, average30, averageDay)',
    },
    {
      name: 'the day does not bound what a default is sold at',
      search: 'average30, averageDay)\n',
      replace: 'average30, average30 + 0n * averageDay)\n',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/margin-calls.ts', [
    {
      name: 'a margin call is never forgotten',
      search: 'await saveWarnings(tx, ids, null)',
      replace: 'await saveWarnings(tx, ids, now)',
    },
    {
      name: 'a margin call is forgotten far above the line only',
      search: 'or not ${mayReach(sql`safety_ppm`, price, today)}',
      replace: 'or not ${mayReach(sql`safety_ppm`, (price * 95n) / 100n, today)}',
    },
    {
      name: 'a margin call of a late loan is not forgotten',
      search: 'next_due_on < ${today}::date or not',
      replace: 'not',
    },
    {
      name: 'a margin call is forgotten at the line',
      search: '!isReached(row, price))',
      replace: '!isReached(row, price) || row.warned_at !== null)',
    },
  ]),
  ...inFile('server/src/modules/lending/lever/plan-close.ts', [
    {
      name: 'a position that is safe is closed at a paused price',
      search: 'if (price.paused && !isDueAt(marginPrice(price))) throw',
      replace: 'if (price.paused && !isDueAt(0n)) throw',
    },
    {
      name: 'a position that could be liquidated cannot be closed at a paused price',
      search: 'if (price.paused && !isDueAt(marginPrice(price))) throw',
      replace: 'if (price.paused) throw',
    },
    {
      name: 'all of a position is sold outside of the desk’s hour',
      search: 'needed < amount ? needed : amount',
      replace: 'needed < amount ? amount : amount',
    },
    {
      name: 'outside of the hour the desk pays more than in a liquidation',
      search: 'const used = salePrice(price)',
      replace: 'const used = price.paused ? salePrice(price) : lowerPrice(price)',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/borrow/ceiling.ts', [
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
  ...inFile('server/src/db/idempotency/free-budget.ts', [
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
