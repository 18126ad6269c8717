-- Loans whose borrowers were told of their safety line: each look at the prices asks which of them are safe again.
create index loan_warned on loan (collateral_asset, safety_price) where closed_at is null and warned_at is not null;

-- The interest of a day writes every loan of a page anew in one transaction: half of the page has to be free, else the new versions
-- go to other pages and into every index.
alter table loan set (fillfactor = 45);

-- Nothing asks for it, and a change of a bound writes every index.
drop index loan_project;
