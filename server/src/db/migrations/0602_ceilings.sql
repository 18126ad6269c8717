-- previous version: works
-- What leveraged loans owe on each collateral is summed up whenever one is opened.
create index loan_lever_open on loan (collateral_asset) where kind = 'lever' and closed_at is null;
