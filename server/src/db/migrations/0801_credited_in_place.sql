-- previous version: works
-- With a condition on what crediting changes, each of these had every payment written to all indexes of the table once more. Servers that know
-- the migration before this one read chain_uncredited instead. Half of a page is free for what crediting writes: it credits all payments
-- of a page at once, and they took a second place before as well.
drop index chain_event_failed;
drop index chain_event_uncredited;
drop index chain_event_due;
drop index chain_event_waits;
drop index chain_event_waiting_customer;
drop index chain_event_waiting_payer;
alter table chain_event set (fillfactor = 50);
