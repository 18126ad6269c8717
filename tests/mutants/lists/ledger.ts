import { inFile, type Mutation } from '../mutation.ts'
import { ledgerSchemaMutations } from './ledger-schema.ts'

const post = inFile('server/src/ledger/post.ts', [
  { name: 'amounts of zero are sound', search: 'if (amount <= 0n)', replace: 'if (amount < 0n)' },
  { name: 'postings without legs are sound', search: 'legs.length === 0', replace: 'legs.length < 0' },
  { name: 'legs across assets are sound', search: 'debit % 100n !== credit % 100n', replace: 'debit === -credit' },
  {
    name: 'an id in capitals is sound',
    search: '(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/',
    replace: '(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i',
  },
  { name: 'an unknown asset is sound', search: 'assetOf(debit) === undefined', replace: 'assetOf(debit) === null' },
  {
    name: 'a conflict is answered like a repetition',
    search: "if (result.outcome === 'conflict') throw new AppError(codes.requestIdReused)",
    replace: "if (result.outcome === 'conflict') return 'already'",
  },
  {
    name: 'an overdrawn posting is answered like a posted one',
    search:
      "throw new AppError(codes.requestIdReused)\n  if (result.outcome === 'overdrawn') throw await overdrawnError(tx, result.account)",
    replace: "throw new AppError(codes.requestIdReused)\n  if (result.outcome === 'overdrawn') return 'posted'",
  },
  {
    name: 'a repeated id in a batch goes into one call',
    search: 'if (seen.has(posting.id)) {',
    replace: "if (seen.has('')) {",
  },
])

const commit = inFile('server/src/ledger/commit.ts', [
  {
    name: 'what is known is answered like what was posted',
    search: "? { outcome: 'known' }",
    replace: "? { outcome: 'posted' }",
  },
  {
    name: 'repetitions travel in one commit',
    search: '`${call.memberId} ${call.requestId}`',
    replace: '`${call.memberId} ${call.requestId} ${Math.random()}`',
  },
  { name: 'unsound postings travel with others', search: '    assertSound(command.posting)\n', replace: '' },
])

const reads = [
  ...inFile('server/src/ledger/balances.ts', [
    {
      name: 'balances at a place are those of now',
      search: '${place}::bigint, 0, 0, 1) before',
      replace: '9000000000000000000::bigint, 0, 0, 1) before',
    },
  ]),
  ...inFile('server/src/ledger/overdrawn.ts', [
    {
      name: 'everybody is told what the desk has',
      search: 'if (code !== codes.notEnoughBalance)',
      replace: 'if (code === codes.ourFault)',
    },
  ]),
  ...inFile('server/src/ledger/chart.ts', [
    {
      name: 'suspense has no floor',
      search: 'return chartNumber(account) < 500',
      replace: 'return chartNumber(account) < 200',
    },
    { name: 'member zero has accounts', search: 'assert(memberId > 0n &&', replace: 'assert(memberId >= 0n &&' },
  ]),
  ...inFile('server/src/ledger/statement/statement.ts', [
    { name: 'the end of a period is included', search: 'at < before)', replace: 'at <= before)' },
    { name: 'the beginning of a period is left out', search: 'at >= since)', replace: 'at > since)' },
    { name: 'a statement up to a posting has what came later', search: '[upTo + 1n, 0]', replace: 'beyondAll' },
    { name: 'a statement up to a posting is without it', search: '[upTo + 1n, 0]', replace: '[upTo, 0]' },
    {
      name: 'a page that found too little in its bound ends the timeline',
      search: 'if (toRead === 0 && found.length <= limit)',
      replace: 'if (toRead < 0 && found.length <= limit)',
    },
  ]),
  ...inFile('server/src/ledger/statement/time-spans.ts', [
    {
      name: 'entries of days that are not counted yet are left out',
      search: ': [uncounted, { from: first, to: last }]',
      replace: ': [{ from: first, to: last }]',
    },
    {
      name: 'a period begins with its second day',
      search: 'where day >= coalesce(',
      replace: 'where day > coalesce(',
    },
  ]),
  ...inFile('server/src/ledger/statement/count-days.ts', [
    {
      name: 'a period is final while transactions that were open at its end are open',
      search: 'final_before = greatest(final_before, next_final), next_final = ${now}',
      replace: 'final_before = ${now}, next_final = ${now}',
    },
    {
      name: 'days of booking are not counted',
      search: '(values (occurred_at), (coalesce(booked_at, occurred_at)))',
      replace: '(values (occurred_at))',
    },
  ]),
  ...inFile('server/src/ledger/statement/statement.ts', [
    {
      name: 'periods are cut by the time that postings tell',
      search: '({ bookedAt }) => isWithin(bookedAt, since, before)',
      replace: '({ occurredAt }) => isWithin(occurredAt, since, before)',
    },
  ]),
  ...inFile('server/src/ledger/statement/entries-after.ts', [
    { name: 'an account that did not move is named', search: 'mark.posting + 1, ', replace: 'mark.posting, ' },
  ]),
  ...inFile('server/src/ledger/share/share.ts', [
    { name: 'shares of nothing are posted', search: 'where amount > 0', replace: 'where amount >= 0' },
  ]),
]

const checks = inFile('server/src/ledger/audit/checks.ts', [
  {
    name: 'a wrong version is not found',
    search: '(balance, version) is distinct from (expected_balance, expected_version)',
    replace: 'balance is distinct from expected_balance',
  },
  {
    name: 'an entry of another kind is not found',
    search: ' and e.kind <> ledger_kind_code(p.kind)',
    replace: ' and false',
  },
  {
    name: 'a running balance on a rolled-up account is not found',
    search: 'chart >= 700 and (balance is not null or',
    replace: 'chart > 999 and (balance is not null or',
  },
  {
    name: 'a floor that was broken for a while is not found',
    search: 'chart < 500 and expected_balance < 0',
    replace: 'chart < 100 and expected_balance < 0',
  },
  {
    name: 'a wrong count of entries is not found',
    search: ' or coalesce(k.entries, 0) <> coalesce(e.entries, 0)',
    replace: '',
  },
  {
    name: 'a delta of an account that is not rolled up is not found',
    search: 'from ledger_delta where (account / 100) % 1000 < 700',
    replace: 'from ledger_delta where (account / 100) % 1000 < 100',
  },
  {
    name: 'a posting that does not sum to zero is not found',
    search: 'from entry group by posting, account % 100 having sum(amount) <> 0',
    replace: 'from entry group by posting, account % 100 having sum(amount) is null',
  },
  {
    name: 'a balance row that is lost is not found',
    search: 'if (!search && count?.kept === count?.entered) return []',
    replace: 'if (!search) return []',
  },
  {
    name: 'a range is audited as if nothing had been before it',
    search: 'before.balance + sum(entry.amount)',
    replace: 'sum(entry.amount)',
  },
])

const rounds = [
  ...inFile('server/src/ledger/upkeep/partitions.ts', [
    {
      name: 'the last bounded partition is written before another is made',
      search: 'state.ahead >= PARTITIONS_AHEAD',
      replace: 'state.ahead > 0',
    },
  ]),
  ...inFile('server/src/ledger/audit/audit-round.ts', [
    {
      name: 'what was sealed on an account that there is not is not looked for',
      search: 'search: hasChanged',
      replace: 'search: false',
    },
    {
      name: 'postings that break a rule are sealed',
      search: 'await checkPostings(tx, range))) > 0) return true',
      replace: 'await checkPostings(tx, range))) < 0) return true',
    },
  ]),
  ...inFile('server/src/ledger/audit/seal-range.ts', [
    {
      name: 'a seal says nothing about the ranges before it',
      search: 'measure(tx, range, before)',
      replace: "measure(tx, range, before === '' ? '' : 'x')",
    },
    {
      name: 'a sealed range that was changed is not found',
      search: 'if (digest !== range.digest)',
      replace: "if (digest === '')",
    },
  ]),
  ...inFile('server/src/ledger/audit/horizon.ts', [
    {
      name: 'a batch that is being written is not waited for',
      search: 'while (waitedFor.size > 0)',
      replace: 'while (waitedFor.size < 0)',
    },
  ]),
  ...inFile('server/src/ledger/audit/findings.ts', [
    {
      name: 'what was mended is a finding for ever',
      search: ".where('seen_in', '<', round)",
      replace: ".where('seen_in', '<', 0n)",
    },
  ]),
]

export const ledgerMutations: readonly Mutation[] = [
  ...ledgerSchemaMutations,
  ...post,
  ...commit,
  ...reads,
  ...checks,
  ...rounds,
]
