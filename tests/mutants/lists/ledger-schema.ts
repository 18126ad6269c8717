import { inFile, type Mutation } from '../mutation.ts'

const schema = inFile('server/src/db/migrations/0001_ledger.sql', [
  {
    name: 'the table accepts a balance of minus one',
    search: 'check (balance >= 0 or',
    replace: 'check (balance >= -1 or',
  },
  {
    name: 'accounts from 400 on have no floor in the table',
    search: 'or (id / 100) % 1000 >= 500)',
    replace: 'or (id / 100) % 1000 >= 100)',
  },
  {
    name: 'postings can be truncated',
    search: 'before update or delete or truncate on ledger_posting',
    replace: 'before update or delete on ledger_posting',
  },
  {
    name: 'balance rows can be deleted',
    search: 'before delete or truncate on ledger_account',
    replace: 'before truncate on ledger_account',
  },
])

const entries = inFile('server/src/db/migrations/0440_ledger_partitions.sql', [
  {
    name: 'entries can be changed',
    search: 'before update or delete or truncate on ledger_entry',
    replace: 'before delete or truncate on ledger_entry',
  },
  {
    name: 'a replicating session may delete entries',
    search: 'alter table ledger_entry enable always trigger append_only;',
    replace: '',
  },
  {
    name: 'entries can be changed where their partition is named',
    search: 'before update or delete or truncate on %I',
    replace: 'before delete or truncate on %I',
  },
  {
    name: 'a replicating session may delete entries of a partition',
    search: "execute format('alter table %I enable always trigger append_only', v_name);",
    replace: '',
  },
  {
    name: 'the last entry of an account is looked for in the oldest partition first',
    search: 'where part.first_posting <= p_upto order by part.first_posting desc',
    replace: 'where part.first_posting <= p_upto order by part.first_posting',
  },
])

const newest = inFile('server/src/db/migrations/0860_booked_at.sql', [
  {
    name: 'an entry that was seen comes again',
    search: '> (p_account, k.code, p_after)',
    replace: '>= (p_account, k.code, p_after)',
  },
  {
    name: 'a page begins with the last line of the one before',
    search: `< (list.account, list.kind, p_before_posting, p_before_line)
          and n.posting >= v_part.lowest and n.posting < v_part.beyond
        order by n.account desc, n.kind desc, n.posting desc, n.line desc limit v_left`,
    replace: `<= (list.account, list.kind, p_before_posting, p_before_line)
          and n.posting >= v_part.lowest and n.posting < v_part.beyond
        order by n.account desc, n.kind desc, n.posting desc, n.line desc limit v_left`,
  },
  { name: 'entries of other kinds are read', search: 'where kinds.kind = any(v_kinds)', replace: '' },
  {
    name: 'entries of another kind than the only one wanted are read',
    search: 'array_agg(a.account), array_agg(v_kinds[1])',
    replace: 'array_agg(a.account), array_agg(v_kinds[1] - 1)',
  },
  { name: 'a statement reads beyond its period', search: 'greatest(p_from, v_part.lowest)', replace: 'v_part.lowest' },
  {
    name: 'a statement begins with the oldest partition',
    search: 'part.beyond > p_from order by part.first_posting desc',
    replace: 'part.beyond > p_from order by part.first_posting',
  },
  {
    name: 'the bound of a page leaves out its last entry',
    search: 'offset v_left - 1 limit 1',
    replace: 'offset v_left - 2 limit 1',
  },
  {
    name: 'what few entries would show bounds a page that they do not fill',
    search: 'coalesce(max(bound.posting), v_from)',
    replace: 'coalesce(max(bound.posting), p_before_posting)',
  },
  {
    name: 'the bound is looked for after the page',
    search: `< (list.account, list.kind, p_before_posting, p_before_line)
            and n.posting >= v_part.lowest`,
    replace: '< (list.account, list.kind, v_part.beyond, 0)\n            and n.posting >= v_part.lowest',
  },
])

const widths = inFile('server/src/db/migrations/0180_ledger_widths.sql', [
  {
    name: 'a balance leaves out what is not folded yet',
    search: '  union all\n  select account, amount, entries from ledger_delta\n',
    replace: '',
  },
  {
    name: 'the sum of two of the largest amounts does not fit into a balance',
    search: 'alter table ledger_account alter column balance type numeric(100, 0);',
    replace: 'alter table ledger_account alter column balance type numeric(78, 0);',
  },
])

const batches = inFile('server/src/db/migrations/0210_entry_kind.sql', [
  {
    name: 'a dip in the middle of a batch is tolerated',
    search: 'a.balance - net.gain + net.lowest < 0 as dipped',
    replace: 'a.balance < 0 as dipped',
  },
  {
    name: 'rolled-up accounts are not written down',
    search: 'select account, gain, entries from net where chart >= 700',
    replace: 'select account, gain, entries from net where chart > 700',
  },
  {
    name: 'a leg of nothing is accepted',
    search: 'bool_or(amount <= 0 or',
    replace: 'bool_or(amount < 0 or',
  },
  {
    name: 'a leg across assets is accepted',
    search: ' or debit % 100 <> credit % 100) from leg',
    replace: ') from leg',
  },
  {
    name: 'a leg to itself is accepted',
    search: 'amount <= 0 or debit = credit or',
    replace: 'amount <= 0 or',
  },
  {
    name: 'a broken leg is posted all the same',
    search: '  if v_broken then',
    replace: '  if v_broken and v_missing and v_dipped then',
  },
  {
    name: 'a batch that dips is kept',
    search: '  elsif v_dipped then',
    replace: '  elsif v_dipped and v_missing then',
  },
  {
    name: 'balances are written one entry behind',
    search: 'moved.balance + line.prefix, moved.version',
    replace: 'moved.balance + line.prefix - line.gain, moved.version',
  },
  {
    name: 'versions count from zero',
    search: 'moved.version + line.version',
    replace: 'moved.version + line.version - 1',
  },
  {
    name: 'the side that pays gains',
    search: 'debit as account, -amount as gain',
    replace: 'debit as account, amount as gain',
  },
])

const oneByOne = inFile('server/src/db/migrations/0001_ledger.sql', [
  {
    name: 'balances are read without a lock',
    search: '    order by id for no key update\n',
    replace: '    order by id\n',
  },
  {
    name: 'rows are locked in the order of their balances',
    search: '    order by id for no key update\n',
    replace: '    order by -id for no key update\n',
  },
  {
    name: 'a repetition may be of another kind',
    search: 'k.kind = p.kind and k.memo',
    replace: 'k.memo',
  },
  {
    name: 'a repetition may have another memo',
    search: 'k.memo = p.memo and ',
    replace: '',
  },
  {
    name: 'a repetition may have its legs in another order',
    search: 'array_agg(array[debit, credit, amount] order by no)\n        from unnest',
    replace: 'array_agg(array[debit, credit, amount] order by debit, credit desc)\n        from unnest',
  },
  {
    name: 'other content under a known id is called a repetition',
    search: '      else -2\n',
    replace: '      else -1\n',
  },
  {
    name: 'an account may go one unit below zero',
    search: 'if v_balances[v_place] < 0 and',
    replace: 'if v_balances[v_place] < -1 and',
  },
  {
    name: 'the last unit cannot be spent where others are overdrawn',
    search: 'if v_balances[v_place] < 0 and',
    replace: 'if v_balances[v_place] <= 0 and',
  },
  {
    name: 'what a refused posting would have moved counts for the next',
    search: '      v_balances := v_before;\n',
    replace: '      v_balances := v_balances;\n',
  },
  {
    name: 'what a posting gives is not counted for the next in its batch',
    search: 'v_balances[v_place] := v_balances[v_place] + p_amounts[v_leg];',
    replace: 'v_balances[v_place] := v_balances[v_place];',
  },
  {
    name: 'folding replaces a balance instead of adding to it',
    search: 'set balance = ledger_account.balance + excluded.balance',
    replace: 'set balance = excluded.balance',
  },
  {
    name: 'folding forgets how many entries there were',
    search: 'version = ledger_account.version + excluded.version',
    replace: 'version = ledger_account.version',
  },
])

const shares = inFile('server/src/db/migrations/0720_whole_amounts.sql', [
  {
    name: 'half a unit may be posted',
    search: 'if p_amounts <> p_amounts::numeric(100, 0)[] then',
    replace: 'if false then',
  },
  { name: 'a batch takes the numbers of the next one', search: '>= 16384 then', replace: '>= 16385 then' },
  { name: 'halves may be shared', search: ' or line.amount <> trunc(line.amount)', replace: '' },
  { name: 'halves may be collected', search: 'where amount <> trunc(amount))', replace: 'where false)' },
  {
    name: 'a collection may be of several assets',
    search: 'from unnest(p_debits || p_credits) as account) > 1',
    replace: 'from unnest(p_debits || p_credits) as account) > 2',
  },
  { name: 'shares need not ascend', search: 'line.account <= line.before or ', replace: '' },
  { name: 'shares of nothing may be posted', search: 'or line.amount <= 0 ', replace: 'or line.amount < 0 ' },
  { name: 'shares may be of another asset', search: 'or line.account % 100 <> p_debit % 100 ', replace: '' },
  { name: 'what nobody has can be shared', search: '  if not found then\n', replace: '  if false then\n' },
])

const commits = inFile('server/src/db/migrations/0460_ledger_commit.sql', [
  { name: 'what failed keeps its request id', search: 'if 0 <> any (v_outcomes) then', replace: 'if false then' },
  {
    name: 'what is beside a known one is not posted',
    search: 'if v_first is not null then',
    replace: 'if false then',
  },
  {
    name: 'outcomes beside a known one go to others',
    search: 'v_outcomes[v_first[v_place]] := v_posted[v_place];',
    replace: 'v_outcomes[v_place] := v_posted[v_place];',
  },
  {
    name: 'legs of known ones are posted',
    search: 'array_agg(array_position(p_places, posting) order by no)',
    replace: 'array_agg(posting order by no)',
  },
  {
    name: 'a known request id is forgotten',
    search: 'call.outcome not in (0, -3)',
    replace: 'call.outcome <> 0',
  },
  {
    name: 'what is known is posted again',
    search: 'if cardinality(v_first) = cardinality(p_members) then',
    replace: 'if true then',
  },
  {
    name: 'request ids are claimed in the order of a batch',
    search: '    order by member_id, request_key\n',
    replace: '',
  },
])

const spent = inFile('server/src/db/migrations/0461_spent_count.sql', [
  { name: 'nothing that was spent counts', search: 'newest.amount < 0', replace: 'false' },
  {
    name: 'what an account received counts as spent',
    search: 'newest.amount < 0',
    replace: 'newest.amount <> 0',
  },
  { name: 'entries before the time count', search: ' and p.occurred_at >= asked.since', replace: '' },
  { name: 'all entries are looked at', search: ' limit p_newest', replace: '' },
  { name: 'the oldest entries are looked at', search: 'n.posting desc, n.line desc', replace: 'n.posting, n.line' },
])

export const ledgerSchemaMutations: readonly Mutation[] = [
  ...schema,
  ...entries,
  ...newest,
  ...widths,
  ...batches,
  ...oneByOne,
  ...shares,
  ...commits,
  ...spent,
]
