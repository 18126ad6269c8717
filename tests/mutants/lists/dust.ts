import { inFile, type Mutation } from '../mutation.ts'

const sums = [
  ...inFile('server/src/modules/deposit/dust/sort-dust.ts', [
    { name: 'two payments of a day come by themselves', search: 'SINGLES = 3', replace: 'SINGLES = 2' },
    { name: 'four payments of a day come by themselves', search: 'SINGLES = 3', replace: 'SINGLES = 4' },
    {
      name: 'those of the same batch are not counted',
      search: '    if (isSingle) singles.set(keyOf(one), count + 1)\n',
      replace: '',
    },
    {
      name: 'what was decided is decided again',
      search: 'before === undefined ? count < SINGLES : before.is_single',
      replace: 'count < SINGLES',
    },
    {
      name: 'what a sum has booked waits for another one',
      search: "isBooked ? booked : 'waits'",
      replace: "'waits'",
    },
    { name: 'singles of all assets count together', search: ' and d.asset = asked.asset', replace: '' },
    { name: 'singles of all days count together', search: ' and d.day = asked.day', replace: '' },
  ]),
  ...inFile('server/src/modules/deposit/dust/book-dust.ts', [
    {
      name: 'a day that goes on is booked',
      search: 'waits_for < ${today}',
      replace: 'waits_for <= ${today}',
    },
    {
      name: 'a sum is booked while payments of its day are not confirmed',
      search: 'return coming === undefined ? day : null',
      replace: 'return day',
    },
    {
      name: 'a later sum has the id of the first',
      search: ':${member_id ?? 0n}:${earlier}`',
      replace: ':${member_id ?? 0n}`',
    },
    {
      name: 'it is not kept by which sum a payment was booked',
      search: 'update dust_payment d set posting_id = ${posting_id}',
      replace: 'update dust_payment d set amount = d.amount',
    },
  ]),
  ...inFile('server/src/modules/deposit/dust/list-dust.ts', [
    { name: 'sums of everybody are listed', search: 's.member_id = ${memberId} and ', replace: '' },
    { name: 'sums of all assets are listed', search: ' and s.asset = ${asset}', replace: '' },
    { name: 'sums of all days are listed', search: ' and s.day = ${day}::date', replace: '' },
    {
      name: 'every page is the first',
      search: 'and (tx_hash, tx_position) > (${hash}, ${position}::integer)',
      replace: 'and (${hash}::text, ${position}::integer) is not null',
    },
    {
      name: 'a page ends where the next begins with it',
      search: '(tx_hash, tx_position) > (',
      replace: '(tx_hash, tx_position) >= (',
    },
  ]),
]

const afterLoss = [
  ...inFile('server/src/modules/deposit/settle-receipts.ts', [
    {
      name: 'what the books have is decided anew',
      search: 'destinationOf(posted.get(paymentPostingId(payment, 0))) ??\n      ',
      replace: '',
    },
    { name: 'what a sum has booked ends where it would go now', search: 'outcome: fate.booked,', replace: 'outcome,' },
  ]),
  ...inFile('server/src/chain/crediting/credit-payments.ts', [
    {
      name: 'what a sum has booked is listed beside it',
      search: 'const waiting = ordered.filter(({ waitsFor }) => waitsFor !== undefined)',
      replace:
        'const waiting = ordered.filter(({ waitsFor, isBooked }) => waitsFor !== undefined && isBooked !== true)',
    },
  ]),
]

const sweeps = [
  ...inFile('server/src/modules/power/orders/sweep-unpaid-orders.ts', [
    { name: 'orders go a day early', search: '30 * DAY_MS', replace: '29 * DAY_MS' },
    { name: 'orders are swept that a payment names', search: "and e.state = 'recorded')", replace: 'and false)' },
    { name: 'orders that were paid go', search: "o.state = 'cancelled' and ", replace: '' },
  ]),
  ...inFile('server/src/modules/deposit/sweep-announcements.ts', [
    { name: 'announcements go a day early', search: '30 * DAY_MS', replace: '29 * DAY_MS' },
    {
      name: 'announcements are swept that a payment names',
      search: "and e.state = 'recorded')",
      replace: 'and false)',
    },
    {
      name: 'announcements that were paid go',
      search: 'and not exists (select from deposit_receipt r where r.deposit_id = looked.id)',
      replace: '',
    },
    {
      name: 'what was swept is looked at for ever',
      search: 'set up_to = (select max(lapses_at) from looked)',
      replace: 'set up_to = up_to',
    },
  ]),
  ...inFile('server/src/modules/notice/sweep-device-notices.ts', [
    { name: 'notices of devices go a day early', search: '60 * DAY_MS', replace: '30 * DAY_MS' },
    { name: 'all old notices go', search: "where kind = 'newDevice' and at <", replace: 'where at <' },
  ]),
]

export const dustMutations: readonly Mutation[] = [...sums, ...afterLoss, ...sweeps]
