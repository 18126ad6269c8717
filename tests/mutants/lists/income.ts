import { inFile, type Mutation } from '../mutation.ts'

const waiting = inFile('server/src/modules/income/why-wait.ts', [
  {
    name: 'a day is closed although crediting has stopped',
    search: "if (cursor.halted_reason !== null) return 'crediting has stopped'\n",
    replace: '',
  },
  {
    name: 'a day is closed one block too early',
    search: 'cursor.followed - BigInt(depth) + 1n',
    replace: 'cursor.followed - BigInt(depth) + 2n',
  },
  {
    name: 'a day is closed one block too late',
    search: 'cursor.followed - BigInt(depth) + 1n',
    replace: 'cursor.followed - BigInt(depth)',
  },
  { name: 'a day is closed before it is over', search: 'final.at < end)', replace: 'final.at < startOfDay(day))' },
  { name: 'a day waits for a block beyond its first second', search: 'final.at < end)', replace: 'final.at <= end)' },
  {
    name: 'nothing that is confirming is waited for',
    search: 'return waiting === undefined ? null :',
    replace: 'return waiting !== null ? null :',
  },
  {
    name: 'deposits of the day’s own blocks are not waited for',
    search: '(not failing and block_at < ${end})',
    replace: '(not failing and block_at < ${startOfDay(day)})',
  },
  {
    name: 'a payment that keeps failing holds the day open',
    search: '(not failing and block_at',
    replace: '(block_at',
  },
  {
    name: 'deposits are waited for although their time is over',
    search: '* 1000 < ${maxWait_ms}',
    replace: '* 1000 <= ${maxWait_ms}',
  },
  {
    name: 'deposits for later days hold a day open',
    search: 'revenue_day <= ${day}::date and extract',
    replace: 'revenue_day is not null and extract',
  },
])

const opening = inFile('server/src/modules/income/open-day.ts', [
  {
    name: 'a day that is being shared does not keep the next one closed',
    search: 'if (open !== undefined) return { isSharing: true }\n',
    replace: '',
  },
  {
    name: 'days beyond the asked one are opened',
    search: 'if (day === null || day > upTo)',
    replace: 'if (day === null || day > addDays(upTo, 1))',
  },
  { name: 'the asked day itself is not opened', search: 'day > upTo)', replace: 'day >= upTo)' },
  { name: 'a day is left out', search: 'addDays(last.day, 1)', replace: 'addDays(last.day, 2)' },
  {
    name: 'the first close begins after the first power',
    search: "fn.min('starts_on')",
    replace: "fn.max('starts_on')",
  },
  {
    name: 'what was left over is lost',
    search: 'return last === undefined ? 0n : last.revenue + last.carried_in - last.fee - last.paid',
    replace: 'return last === undefined ? 0n : last.revenue - last.revenue',
  },
  {
    name: 'the fee is left over as well',
    search: 'last.carried_in - last.fee - last.paid',
    replace: 'last.carried_in - last.paid',
  },
  {
    name: 'what was left over is taken from the first day',
    search: ".orderBy('day', 'desc')",
    replace: ".orderBy('day', 'asc')",
  },
  {
    name: 'deposits for a closed day are never counted',
    search: ' and e.revenue_day <= ${day}::date\n',
    replace: ' and e.revenue_day = ${day}::date\n',
  },
  { name: 'deposits for later days are counted', search: ' and e.revenue_day <= ${day}::date\n', replace: '\n' },
  {
    name: 'a deposit is counted every day',
    search: '\n    and not exists (select from income_deposit i where i.chain_event_id = e.id)',
    replace: '',
  },
  { name: 'orphaned deposits are counted', search: ' and not e.orphaned', replace: '' },
  {
    name: 'power does not count on its first day',
    search: 'o.starts_on <= ${day}::date',
    replace: 'o.starts_on < ${day}::date',
  },
  {
    name: 'power does not count on its last day',
    search: 'o.ends_on >= ${day}::date',
    replace: 'o.ends_on > ${day}::date',
  },
  { name: 'the service fee is not taken', search: 'if (fee > 0n) await post', replace: 'if (fee < 0n) await post' },
  {
    name: 'a day without anybody’s power is left open',
    search: 'sharing.pool === 0n || totalUnits === 0n ? now : null',
    replace: 'sharing.pool === 0n ? now : null',
  },
])

const sharing = inFile('server/src/modules/income/share-day.ts', [
  {
    name: 'members are paid from the first one again',
    search: "where('member_id', '>', day.paid_to_member)",
    replace: "where('member_id', '>', 0n)",
  },
  { name: 'a chunk takes one member too many', search: '.offset(members - 1)', replace: '.offset(members)' },
  { name: 'the pool forgets what was carried in', search: 'carriedIn: day.carried_in }', replace: 'carriedIn: 0n }' },
  {
    name: 'shares are rounded to the nearest unit',
    search:
      'div(${pool}::numeric * (${PPM}::numeric - p.fee_ppm) * sum(o.units),\n            ${PPM}::numeric * ${day.total_units}::numeric)',
    replace:
      'round(${pool}::numeric * (${PPM}::numeric - p.fee_ppm) * sum(o.units) /\n            (${PPM}::numeric * ${day.total_units}::numeric))',
  },
  {
    name: 'shares are paid without taking the fee off',
    search: '(${PPM}::numeric - p.fee_ppm)',
    replace: '(${PPM}::numeric)',
  },
  {
    name: 'the last member of a chunk is paid twice',
    search: 'o.member_id > ${day.paid_to_member}::bigint',
    replace: 'o.member_id >= ${day.paid_to_member}::bigint',
  },
  {
    name: 'the last member of a chunk is not paid',
    search: 'o.member_id <= ${to}::bigint',
    replace: 'o.member_id < ${to}::bigint',
  },
  {
    name: 'power earns on the day before its first',
    search: 'o.starts_on <= ${day.day}::date',
    replace: 'o.starts_on <= ${day.day}::date + 1',
  },
  {
    name: 'power does not earn on its last day',
    search: 'o.ends_on >= ${day.day}::date',
    replace: 'o.ends_on > ${day.day}::date',
  },
  { name: 'what is paid is counted for the last chunk only', search: 'paid: day.paid + total', replace: 'paid: total' },
  {
    name: 'who is paid is counted for the last chunk only',
    search: 'accounts: day.accounts + accounts',
    replace: 'accounts',
  },
  {
    name: 'a day stays open',
    search: 'closed_at: last === undefined ? now : null',
    replace: 'closed_at: last === undefined && total < 0n ? now : null',
  },
  {
    name: 'a day is closed after its first chunk',
    search: 'closed_at: last === undefined ? now : null',
    replace: 'closed_at: now',
  },
])

const postings = inFile('server/src/modules/income/postings.ts', [
  {
    name: 'the fee is paid back into the pool',
    search: "debit: platformAccount('revenuePool', 'HASH'), credit: platformAccount('fees', 'HASH')",
    replace: "debit: platformAccount('fees', 'HASH'), credit: platformAccount('revenuePool', 'HASH')",
  },
  { name: 'every chunk of a day has one id', search: '`income:${day}:${afterMember}`', replace: '`income:${day}:0`' },
  {
    name: 'incomes come from the fees',
    search: "debit: platformAccount('revenuePool', 'HASH'),\n  credit: 'memberAvailable'",
    replace: "debit: platformAccount('suspense', 'HASH'),\n  credit: 'memberAvailable'",
  },
  { name: 'incomes are held', search: "credit: 'memberAvailable'", replace: "credit: 'memberHeld'" },
])

const reads = [
  ...inFile('server/src/modules/income/read-day.ts', [
    {
      name: 'the last day may still be being shared',
      search: "\n    .where('closed_at', 'is not', null)",
      replace: '',
    },
    {
      name: 'a day leaves its fee over',
      search: 'row.carried_in - row.fee - row.paid',
      replace: 'row.carried_in - row.paid',
    },
    {
      name: 'deposits of every day are shown',
      search: "\n    .where('i.day', '=', day)\n    .orderBy('e.amount', 'desc')",
      replace: "\n    .orderBy('e.amount', 'desc')",
    },
  ]),
  ...inFile('server/src/modules/income/list-incomes.ts', [
    { name: 'rewards are listed among the outputs', search: ': [kinds[type]]', replace: ': Object.values(kinds)' },
  ]),
  ...inFile('server/src/modules/income/read-daily.ts', [
    {
      name: 'a day that is being shared is shown as closed',
      search: ".where('day', '>=', first).where('closed_at', 'is not', null)",
      replace: ".where('day', '>=', first)",
    },
    {
      name: 'the chart begins a day late',
      search: 'addDays(last, 1 - days)',
      replace: 'addDays(last, 2 - days)',
    },
  ]),
]

export const incomeMutations: readonly Mutation[] = [...waiting, ...opening, ...sharing, ...postings, ...reads]
