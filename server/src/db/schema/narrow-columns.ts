/**
 * What the schema cannot say of a column: texts that only the code has a list of, and the shape of stored JSON. Written
 * into the generated row types as they stand here; null is added where the column may be null.
 */
export const narrowColumns: Readonly<Record<string, string>> = {
  'attestation.state': "'signed' | 'attested' | 'failed'",
  'booked_difference.asset': 'AssetCode',
  'chain_cursor.only_row': 'true',
  'chain_event.action': "ActionKey | 'unknown' | 'paid' | 'transfer'",
  'chain_event.asset': 'AssetCode',
  'chain_payment.action': "ActionKey | 'unknown' | 'paid' | 'transfer'",
  'chain_payment.asset': 'AssetCode',
  'deposit.asset': 'AssetCode',
  'desk_flow.asset': 'AssetCode',
  'exchange.evidence': 'ColumnType<DeskPrices, string, never>',
  'exchange.from_asset': 'AssetCode',
  'exchange.to_asset': 'AssetCode',
  'exchange_quote.evidence': 'ColumnType<DeskPrices, string, never>',
  'exchange_quote.from_asset': 'AssetCode',
  'exchange_quote.to_asset': 'AssetCode',
  'expected_payout.asset': 'AssetCode',
  'fund.only_row': 'true',
  'fund_price.reason': "'close' | 'deficit'",
  'loan.collateral_asset': 'CollateralAsset',
  'loan.kind': "'project' | 'lever'",
  'loan.state': 'LoanState',
  'loan_liquidation.reason': 'LiquidationReason',
  'loan_step.kind': "'opened' | 'payment' | 'sale' | 'schedule'",
  'loan_with_debt.collateral_asset': 'CollateralAsset',
  'loan_with_debt.kind': "'project' | 'lever'",
  'loan_with_debt.state': 'LoanState',
  'installation.only_row': 'true',
  'operator_audit.outcome': "'read' | 'proposed' | 'done'",
  'operator_proposal.ended': "'done' | 'withdrawn' | 'expired'",
  'power_order.asset': "'JU' | 'USDT'",
  'power_plan.description': 'LocalizedText',
  'power_plan.name': 'LocalizedText',
  'pair_quarter.asset': 'CollateralAsset',
  'price_history.asset': 'CollateralAsset',
  'price_measure.asset': 'CollateralAsset',
  'price_observation.asset': 'AssetCode',
  'project.collateral_asset': 'CollateralAsset',
  'project.information': 'LocalizedText',
  'project.name': 'LocalizedText',
  'price_reference.asset': 'AssetCode',
  'reconciliation_line.asset': 'AssetCode',
  'surplus_assignment.asset': 'AssetCode',
  'surplus_assignment.target': "'member' | 'desk'",
  'suspense_assignment.asset': 'AssetCode',
  'suspense_assignment.target': "'member' | 'desk'",
  'withdrawal.asset': 'AssetCode',
  'withdrawal.reason': 'WithdrawalReason',
}

/** Where the names above come from: a module, or a type that is written out. */
export const narrowTypes: Readonly<Record<string, { from: string } | { is: string }>> = {
  ActionKey: { from: '@candela/protocol/chain/action-data' },
  AssetCode: { from: '@candela/protocol/money/assets' },
  CollateralAsset: { from: '@candela/protocol/credit/choices' },
  DeskPrices: { from: '../schema/json-columns.ts' },
  LiquidationReason: { from: '@candela/protocol/credit/liquidation' },
  LoanState: { from: '../schema/json-columns.ts' },
  LocalizedText: { from: '../schema/json-columns.ts' },
  WithdrawalReason: {
    is: "'overLimit' | 'flagged' | 'pricePaused' | 'operator' | 'dailyCap' | 'paused' | 'recipient' | 'reverted' | 'reverts' | 'unclear' | 'unpaid'",
  },
}

/** Columns of views that may be null: Postgres does not tell. Rows of views are checked against it in tests. */
export const nullableInViews: ReadonlySet<string> = new Set([
  'chain_payment.outcome',
  ...[
    'margin',
    'ratio_tenths',
    'bought',
    'buy_price',
    'warned_at',
    'reminded_for',
    'closed_at',
    'project_id',
    'next_due_on',
  ].map((column) => `loan_with_debt.${column}`),
])
