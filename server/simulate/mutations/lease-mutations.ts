import type { Mutation } from '../../../tests/mutants/mutation.ts'

/** The lease of the loops and its fence: run with two workers. */
export const leaseMutations: readonly Mutation[] = [
  {
    name: 'no transaction asks whether the lease is still ours',
    file: 'server/src/db/lease/fence.ts',
    search: "const check = `select lease_expect('${lease}', ${number})`",
    replace: 'const check = `select ${number}`',
  },
  {
    name: 'the number of the lease does not grow',
    file: 'server/src/db/lease/lease.ts',
    search: 'number = l.number + 1,',
    replace: 'number = l.number,',
  },
  {
    name: 'a holder works on after another one has taken the lease',
    file: 'server/src/jobs/lead.ts',
    search: '(await ask(lease.prolong(number))) === false',
    replace: '(await ask(lease.prolong(number))) === null',
  },
  {
    name: 'the lease is taken before it has expired',
    file: 'server/src/db/lease/lease.ts',
    search: 'before !== undefined && !before.is_over',
    replace: "before?.holder === ''",
    more: [
      {
        file: 'server/src/db/lease/lease.ts',
        search: '      where l.expires_at <= clock_timestamp()\n',
        replace: '',
      },
    ],
  },
  {
    name: 'a server that stops does not give the lease back',
    file: 'server/src/jobs/lead.ts',
    search: 'if (!isTaken) await ask(lease.release(number))',
    replace: 'if (isTaken) await ask(lease.release(number))',
  },
  {
    name: 'a payout that was signed and not sent before a takeover is signed again at another nonce',
    file: 'server/src/modules/withdraw/payout/next-due.ts',
    search: "where w.state = 'queued'",
    replace:
      "where (w.state = 'queued' or (w.state = 'sending' and not exists (select from payout_transaction t where t.withdrawal_id = w.id and t.tried_at is not null)))",
    more: [
      {
        file: 'server/src/modules/withdraw/payout/sign-payout.ts',
        search: "if (row?.state !== 'queued' || ",
        replace: 'if (row === undefined || ',
      },
      {
        file: 'server/src/modules/withdraw/payout/sign-payout.ts',
        search: '  assert(row.nonce === null, `withdrawal ${row.withdrawal_no} was signed already`)\n',
        replace: '  assert(row.id > 0n, "")\n',
      },
    ],
  },
]
