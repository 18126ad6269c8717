-- Loans whose borrowers were told of their safety line: each look at the prices asks which of them are safe again.
create index loan_warned on loan (collateral_asset, safety_price) where closed_at is null and warned_at is not null;
