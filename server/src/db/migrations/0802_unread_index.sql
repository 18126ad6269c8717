-- previous version: works
-- Nothing asks for observations by what the pair held, since its average is kept in price_measure.
drop index price_observation_liquidity;
