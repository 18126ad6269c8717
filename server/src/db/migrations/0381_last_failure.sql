-- Named as that of events is.
alter table withdrawal rename column trouble to last_failure;
alter table payout_transaction rename column trouble to last_failure;

-- There is more to gather than one look takes.
alter table notice_gathered rename column behind to is_partial;
alter index notice_behind rename to notice_partial;
comment on column notice_gathered.is_partial is 'There was more than one look takes: a worker goes on.';
comment on column notice_gathered.read_to is 'What is not gathered yet and not above this posting was marked as read at read_at, all at once.';
comment on table payer is 'Accounts that sign payouts; a worker that signs locks the row.';
