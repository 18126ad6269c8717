import { inFile, type Mutation } from '../../mutation.ts'

/** How loans are found, held back and sold. */
export const watchMutations: readonly Mutation[] = [
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
  ...inFile('server/src/modules/lending/loan/watch/watch-loans.ts', [
    {
      name: 'late loans are not charged before they are sold at their line',
      search: '${mayReach(sql`clearing_ppm`, price, today)}\n      and ${isSpotAway',
      replace: 'next_due_on >= ${today}::date and ${mayReach(sql`clearing_ppm`, price, today)}\n      and ${isSpotAway',
    },
    {
      name: 'one loan that fails keeps all from being sold',
      search: 'if (ids.length === 1) {',
      replace: 'if (ids.length > 0) {',
    },
    {
      name: 'a position is sold within its grace',
      search: 'due_on + grace_days < ${today}::date)',
      replace: 'due_on + grace_days <= ${today}::date)',
    },
    {
      name: 'a loan is in default a day late in the search',
      search: 'next_due_on + default_days <= ${today}::date',
      replace: 'next_due_on + default_days < ${today}::date',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/liquidate-loans.ts', [
    {
      name: 'money of the desk is paid twice in a batch',
      search: 'deskUsdt -= step.done?.plan.proceeds ?? 0n',
      replace: 'deskUsdt -= 0n * (step.done?.plan.proceeds ?? 0n)',
    },
    {
      name: 'a deficit is not borne',
      search: 'step.deficit === null\n        ?',
      replace: 'step.deficit === null || row === null\n        ?',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/liquidate-step.ts', [
    {
      name: 'a payment on the way keeps a sale away that leaves a shortfall',
      search: 'ahead !== null && ahead.shortfall > 0n ? planned(debt) : ahead',
      replace: 'ahead',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/paid-on-chain.ts', [
    {
      name: 'payments in other assets are on the way',
      search: "    .where('asset', '=', 'USDT')\n",
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/hold-back.ts', [
    {
      name: 'what waits is forgotten after a day',
      search: 'const KEPT_MS = 90 * DAY_MS',
      replace: 'const KEPT_MS = DAY_MS',
    },
    {
      name: 'a search finds loans that wait',
      search:
        'sql<boolean>`not exists (select from loan_wait where loan_wait.loan_id = id and loan_wait.cause = ${cause}',
      replace:
        'sql<boolean>`not exists (select from loan_wait where loan_wait.loan_id = -id and loan_wait.cause = ${cause}',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/margin-calls.ts', [
    {
      name: 'a margin call does not wait for spot',
      search: 'const held = isAway ?',
      replace: 'const held = isAway && atLine.length > 400 ?',
    },
    {
      name: 'a margin call comes again and again',
      search: 'await saveWarnings(tx, ids, now)\n',
      replace: 'if (ids.length > 400) await saveWarnings(tx, ids, now)\n',
    },
  ]),
]
