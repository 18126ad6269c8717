-- Payouts need a comparison that is recent and found nothing against them. Comparisons from before this column do not
-- say so, and the next one is made within a minute.
alter table reconciliation add column agrees boolean not null default false;
comment on column reconciliation.agrees is 'Nothing was found for which payouts would have to wait.';
create index reconciliation_agreed on reconciliation (id desc) where agrees;
