import { inFile, type Mutation } from '../../mutation.ts'

/** How a day is charged and closed. */
export const dailyMutations: readonly Mutation[] = [
  ...inFile('server/src/modules/lending/loan/daily/charge-chunk.ts', [
    {
      name: 'a chunk charges loans that were charged before',
      search: 'and interest_through = ${addDays(day, -1)}::date\n',
      replace: 'and interest_through <= ${day}::date\n',
    },
    {
      name: 'bounds are not computed again',
      search: 'case when watch_through <= ${day}::date then',
      replace: 'case when watch_through < ${day}::date - 100 then',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/close-lending.ts', [
    {
      name: 'days that were missed are left out',
      search: 'addDays(last.day, -1) : last.day',
      replace: 'addDays(last.day, -1) : upTo',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/charge-chunk.ts', [
    {
      name: 'a chunk charges late loans, which others charge too',
      search: 'where next_due_on >= ${day}::date and',
      replace: 'where next_due_on >= ${day}::date - 400 and',
    },
    {
      name: 'the interest of a day is rounded down',
      search: 'const interest = sql`div(principal * rate_ppm + ${365n * PPM - 1n}::numeric',
      replace: 'const interest = sql`div(principal * rate_ppm + ${0n * PPM}::numeric',
    },
    {
      name: 'the whole interest of a day is the fund’s',
      search: 'amount: sql`interest - reserve`',
      replace: 'amount: sql`interest - 0 * reserve`',
    },
    {
      name: 'the reserve’s part of a day is rounded by itself',
      search: '- div((interest_charged - interest) * reserve_ppm, ${PPM}::numeric)',
      replace: '- div(interest_charged * reserve_ppm, ${PPM}::numeric) + div(interest * reserve_ppm, ${PPM}::numeric)',
    },
    {
      name: 'what projects have earned is not added up',
      search: 'await addLent(tx, project, { principal: 0n, interest: earned[place] ?? 0n })',
      replace: 'await addLent(tx, project, { principal: 0n, interest: 0n * (earned[place] ?? 0n) })',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/charge-day.ts', [
    {
      name: 'a chunk begins where the one before began',
      search: '.set({ to_loan: last, loans:',
      replace: '.set({ to_loan: after, loans:',
    },
    {
      name: 'the interest of a day is that of its last chunk',
      search: 'interest: progress.interest + interest',
      replace: 'interest',
    },
    {
      name: 'late loans are not charged',
      search: 'const failures = await chargeLate(deps, day, now)',
      replace: "const failures = await chargeLate(deps, '2000-01-01', now)",
    },
    {
      name: 'nobody is reminded',
      search: '  while (await transaction(db, (tx) => remind(tx, day, now)));\n',
      replace: '',
    },
    {
      name: 'the charging of a day stays open',
      search: '.set({ closed_at: now })',
      replace: '.set({ closed_at: null })',
    },
    {
      name: 'loans that could not be charged are not told of',
      search: 'if (failures.length > 0)',
      replace: 'if (failures.length > 1_000)',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/charge-late.ts', [
    {
      name: 'a loan that fails ends the day of all',
      search: 'if (!isAppError(error, codes.loanState)) failures.push(error)',
      replace: 'throw error',
    },
    {
      name: 'a loan that was repaid meanwhile is a failure',
      search: 'if (!isAppError(error, codes.loanState)) failures.push(error)',
      replace: 'failures.push(error)',
    },
    {
      name: 'a loan that an earlier day has left out stays so',
      search: "where.or([where('next_due_on', '<', day), where('interest_through', '<', day)])",
      replace: "where.or([where('next_due_on', '<', day)])",
    },
    {
      name: 'somebody is told of being late on the day itself',
      search: 'next.dueOn >= today) return []',
      replace: 'next.dueOn > today) return []',
    },
    {
      name: 'somebody is told of being late each day',
      search: 'source: `loan:${loan_no}:overdue:${next.dueOn}`',
      replace: 'source: `loan:${loan_no}:overdue:${today}`',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/close-lending.ts', [
    {
      name: 'a day that is not over is closed',
      search: 'day > yesterdayOf(now)',
      replace: 'day > upTo',
    },
    {
      name: 'what payments may take back is in the price',
      search: 'await interestInDoubt(tx, day)',
      replace: '0n * ((await interestInDoubt(tx, day)) ?? 0n)',
    },
    {
      name: 'the day that is charged is the one that is closed',
      search: 'chargeDay(deps, addDays(day, 1), now)',
      replace: 'chargeDay(deps, day, now)',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/close-lending.ts', [
    {
      name: 'one day of the interest is in doubt, however old the payment is',
      search: 'greatest(0, interest_through - since)',
      replace: 'least(1, interest_through - since)',
    },
    {
      name: 'late charges are not in doubt',
      search: 'sum(late_charged + least(',
      replace: 'sum(least(',
    },
    {
      name: 'the newest payment says since when interest is in doubt',
      search: 'min((block_at',
      replace: 'max((block_at',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/is-charged.ts', [
    {
      name: 'a day that is being charged is charged',
      search: ' && last.closed_at !== null',
      replace: '',
    },
    {
      name: 'before the first close everything is charged',
      search: 'return uncharged === undefined',
      replace: "return uncharged === undefined || day !== ''",
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/remind.ts', [
    {
      name: 'a reminder comes eight days before',
      search: 'DAYS_BEFORE = 7',
      replace: 'DAYS_BEFORE = 8',
    },
    {
      name: 'a reminder comes six days before',
      search: 'DAYS_BEFORE = 7',
      replace: 'DAYS_BEFORE = 6',
    },
    {
      name: 'a reminder comes each day',
      search: '  await saveReminders(tx, loans)\n',
      replace: '  if (found.length > 400) await saveReminders(tx, loans)\n',
    },
  ]),
]
