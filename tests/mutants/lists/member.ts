import { inFile, type Mutation } from '../mutation.ts'

const AT = 'server/src/modules/member'

/** Bugs in who gets an account, and whose own code brings in others. */
export const memberMutations: readonly Mutation[] = [
  ...inFile(`${AT}/register.ts`, [
    { name: 'a code works before anything is paid in', search: ".where('code_open_at', 'is not', null)", replace: '' },
    { name: 'a closed code works', search: ".where('code_closed_at', 'is', null)", replace: '' },
    { name: 'a limit counts one account more', search: '.offset(limit - 1)', replace: '.offset(limit)' },
    { name: 'a limit is for ever', search: 'utcDay(row.joined_at) >= today', replace: "utcDay(row.joined_at) >= ''" },
    { name: 'a code has no limit', search: '(inviterId !== null &&', replace: '(inviterId === 0n &&' },
    { name: 'a code has the limit of all', search: ".where('inviter_id', '=', inviterId)", replace: '' },
    {
      name: 'the service has no limit',
      search: 'isUsedUp(await joined(accountsPerDay).executeTakeFirst()) ||',
      replace: '',
    },
    {
      name: 'an account beyond the limits stays',
      search: 'return isBeyond ?',
      replace: 'return isBeyond && inviterId === 0n ?',
    },
  ]),
  ...inFile(`${AT}/note-paid-in.ts`, [
    {
      name: 'a code opens with anything',
      search: 'code_open_at = case when summed.paid_in = 1000000',
      replace: 'code_open_at = case when summed.paid_in > 0',
    },
    {
      name: 'what was paid in before is forgotten',
      search: 'least(m.paid_in + paid.part, 1000000)',
      replace: 'least(paid.part, 1000000)',
    },
    {
      name: 'an account goes although enough was paid in',
      search: 'leaves_at = case when summed.paid_in = 1000000 then null',
      replace: 'leaves_at = case when summed.paid_in = 1000000 then m.leaves_at',
    },
    {
      name: 'of several payments one counts',
      search: 'least(sum(p.part), 1000000)',
      replace: 'least(max(p.part), 1000000)',
    },
  ]),
  ...inFile('server/src/modules/session/sweep-members.ts', [
    {
      name: 'an account goes that the ledger has',
      search: 'if (await hasAccounts(tx, id))',
      replace: 'if (id === 0n)',
    },
    {
      name: 'one that something belongs to is tried again at once',
      search: 'new Date(now.getTime() + DAY_MS)',
      replace: 'now',
    },
    {
      name: 'one that something belongs to keeps others',
      search: 'if (!isForeignKeyViolation(error)) throw error',
      replace: 'throw error',
    },
  ]),
  ...inFile(`${AT}/leaving.ts`, [
    {
      name: 'an account goes before its days are over',
      search: 'new Date(now.getTime() - HOUR_MS)',
      replace: 'new Date(now.getTime() + 99 * HOUR_MS)',
    },
    {
      name: 'an account goes as soon as it cannot be found',
      search: 'new Date(now.getTime() - HOUR_MS)',
      replace: 'now',
    },
  ]),
  ...inFile('server/src/modules/transfer/find-parties.ts', [
    {
      name: 'an account that is about to go is found',
      search: 'and (leaves_at is null or leaves_at > ${now})',
      replace: '',
    },
    {
      name: 'an account that may go is remembered',
      search: 'if (found[nth]?.stays === true) remember',
      replace: 'remember',
    },
  ]),
  ...inFile('server/src/modules/crediting/paid-in.ts', [
    { name: 'money of strangers opens codes', search: "if (outcome !== 'balance') return []", replace: '' },
    {
      name: 'a purchase opens no code',
      search: "if (outcome === 'order' || outcome === 'loan')",
      replace: "if (outcome === 'loan')",
    },
  ]),
]
