-- The audit of the ledger while the service runs: what was checked, and what does not hold. See server/src/ledger/audit/.

create table ledger_audit_round (
  id          bigint primary key generated always as identity,
  started_at  timestamptz not null,
  finished_at timestamptz,
  check (finished_at >= started_at)
);

create table ledger_audit_range (
  last_posting bigint primary key,
  postings     bigint not null,
  entries      bigint not null,
  digest       text   not null check (digest ~ '^[0-9a-f]{64}$'),
  sealed_in    bigint not null references ledger_audit_round (id),
  verified_in  bigint not null references ledger_audit_round (id)
);
create index ledger_audit_range_verified on ledger_audit_range (verified_in, last_posting);

create table ledger_audit_sum (
  account bigint primary key,
  balance numeric(100, 0) not null,
  entries bigint not null
);

create table ledger_audit_finding (
  id          bigint primary key generated always as identity,
  rule        text not null,
  subject     text not null,
  details     text not null,
  found_at    timestamptz not null,
  found_in    bigint not null references ledger_audit_round (id),
  seen_in     bigint not null references ledger_audit_round (id),
  gone_at     timestamptz,
  accepted_at timestamptz,
  note        text,
  check ((accepted_at is null) = (note is null))
);
create index ledger_audit_finding_open on ledger_audit_finding (id) where gone_at is null and accepted_at is null;
create unique index ledger_audit_finding_current on ledger_audit_finding (rule, subject, details) where gone_at is null;

comment on table ledger_audit_round is 'Audits, each going through what is new and through all balances.';
comment on column ledger_audit_round.finished_at is 'Null while it runs, and for ever when it was interrupted.';
comment on table ledger_audit_range is 'Postings that were audited and are sealed by a digest; each range begins after the one before.';
comment on column ledger_audit_range.digest is 'SHA-256 over the digest before and every row of the range: see ledger_digest.';
comment on column ledger_audit_range.verified_in is 'The last round that found the digest to be that of the rows.';
comment on table ledger_audit_sum is 'Sums of the rolled-up accounts over all sealed ranges, in base units.';
comment on table ledger_audit_finding is 'What the audit found. Withdrawals are paused while one is neither gone nor accepted.';
comment on column ledger_audit_finding.gone_at is 'When a whole round did not find it any more.';
comment on column ledger_audit_finding.note is 'Why an operator has accepted it.';

-- The digest of the postings above p_above up to p_upto and of their entries, whatever the session's settings.
create function ledger_digest(p_before text, p_above bigint, p_upto bigint) returns text language sql stable as
$$
  select encode(sha256(convert_to(concat(
    p_before, E'\n',
    (select string_agg(concat_ws('|', seq, id, kind, memo, extract(epoch from occurred_at)), E'\n' order by seq)
      from ledger_posting where seq > p_above and seq <= p_upto),
    E'\n\n',
    (select string_agg(concat_ws('|', posting, line, account, amount, coalesce(balance::text, '-'), coalesce(version::text, '-')),
        E'\n' order by posting, line)
      from ledger_entry where posting > p_above and posting <= p_upto)
  ), 'UTF8')), 'hex')
$$;
