import { inFile, type Mutation } from '../mutation.ts'

/** Bounds of what a member may do for nothing. */
export const depositMutations: readonly Mutation[] = inFile('server/src/modules/deposit/get-order.ts', [
  {
    name: 'any number of deposits may be open',
    search: 'if (open.length >= settings.openDeposits) throw',
    replace: 'if (open.length < 0) throw',
  },
  {
    name: 'one deposit more than allowed may be open',
    search: '.limit(settings.openDeposits)\n    .execute()\n  if (open.length >= settings',
    replace: '.limit(settings.openDeposits + 1)\n    .execute()\n  if (open.length > settings',
  },
  {
    name: 'deposits that are announced at once are not counted',
    search: "  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().execute()\n",
    replace: '',
  },
  {
    name: 'deposits that were paid count as open',
    search: "\n    .where('r.chain_event_id', 'is', null)",
    replace: '',
  },
  {
    name: 'deposits that have lapsed count as open',
    search: "\n    .where('d.created_at', '>', new Date(now.getTime() - settings.depositHours * HOUR_MS))",
    replace: '',
  },
  { name: 'deposits of everybody count', search: "\n    .where('d.member_id', '=', memberId)", replace: '' },
])

export const transferMutations: readonly Mutation[] = inFile('server/src/modules/transfer/daily-budget.ts', [
  { name: 'any number of transfers a day', search: 'if (today.made >= limit)', replace: 'if (today.made < 0)' },
  { name: 'one transfer a day too many', search: 'if (today.made >= limit)', replace: 'if (today.made > limit)' },
  {
    name: 'a day never begins anew',
    search: 'const made = today.day === utcDay(now) ? today.made : 0',
    replace: 'const made = today.made',
  },
  { name: 'transfers of another server never count', search: '< COUNT_MS', replace: '>= 0' },
  {
    name: 'a restart forgets the transfers of the day',
    search: 'return items.filter(({ amount }) => amount < 0n).length',
    replace: 'return items.filter(() => false).length',
  },
  {
    name: 'what a member received counts as its transfers',
    search: 'items.filter(({ amount }) => amount < 0n)',
    replace: 'items.filter(({ amount }) => amount !== 0n)',
  },
  { name: 'transfers of the day before count', search: '    since: startOfDay(utcDay(now)),\n', replace: '' },
  { name: 'a transfer that failed counts', search: '(today.made -= 1)', replace: '(today.made -= 0)' },
])
