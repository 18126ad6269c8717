import type { Mutation } from '../../../tests/mutants/mutation.ts'

export const creditingMutations: readonly Mutation[] = [
  {
    name: 'payments are credited at depth zero',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: 'u.block_number + e.confirmations_needed - 1 <=',
    replace: 'u.block_number <=',
  },
  {
    name: 'payments are credited one block early',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: 'confirmations_needed - 1 <=',
    replace: 'confirmations_needed - 2 <=',
  },
  {
    name: 'confirmations are counted from a head that was only announced',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: '<= ${cursor.followed}`',
    replace: '<= ${cursor.head}`',
  },
  {
    name: 'credited payments are credited again',
    file: 'server/src/chain/follow/uncredited.ts',
    search: ".selectFrom('chain_uncredited as u')",
    replace: ".selectFrom('chain_event as u')",
  },
  {
    name: 'payments are marked as credited and not posted',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: 'const outcomes = await postBatch(tx, postings)',
    replace: 'const outcomes = await postBatch(tx, postings.slice(1))',
  },
  {
    name: 'payments are posted and not marked as credited',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: 'where chain_event.id = done.id`',
    replace: 'where chain_event.id = -done.id`',
  },
  {
    name: 'a posting has a different id at each attempt',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: "uuidFromName(`chain:${CHAIN_ID}:${txHash}:${txPosition}:${nth}${takenBack === 0 ? '' : `:${takenBack}`}`)",
    replace: 'crypto.randomUUID()',
  },
  {
    name: 'the newest payment is credited first',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: ".orderBy('u.block_number')",
    replace: ".orderBy('u.block_number', 'desc')",
  },
  {
    name: 'a deposit is credited to its payer instead of its customer',
    file: 'server/src/modules/deposit/decide-receipts.ts',
    search: 'memberOf(payment.customer) ?? payer',
    replace: 'payer ?? memberOf(payment.customer)',
  },
  {
    name: 'unmatched money is credited to the customer instead of the payer',
    file: 'server/src/modules/deposit/decide-receipts.ts',
    search: "payer === undefined ? { kind: 'suspense' } : { kind: 'unmatched', memberId: payer }",
    replace:
      "payer === undefined ? { kind: 'suspense' } : { kind: 'unmatched', memberId: memberOf(payment.customer) ?? payer }",
  },
  {
    name: 'revenue is accepted in any asset',
    file: 'server/src/chain/follow/revenue-day.ts',
    search: "asset !== 'HASH' || ",
    replace: '',
  },
  {
    name: 'revenue is accepted for a day far away',
    file: 'server/src/chain/follow/revenue-day.ts',
    search: 'return isNear ? reference : null',
    replace: 'return reference',
  },
  {
    name: 'receipts are not recorded',
    file: 'server/src/modules/deposit/settle-receipts.ts',
    search: `  await recordReceipts(\n    tx,\n    receipts.flatMap((receipt, nth) =>\n      isByItself(receipt.payment) ? [{ ...receipt, depositId: fulfilled[nth] ?? null }] : [],\n    ),\n  )\n`,
    replace: '',
  },
  {
    name: 'a second payment settles an order again',
    file: 'server/src/modules/power/settlement/decide-purchases.ts',
    search: "settled.has(order.id) || (order.state !== 'pending' && order.state !== 'cancelled')",
    replace: 'settled.has(order.id) && order.units < 0n',
  },
  {
    name: 'a wrong payment from another account changes an order',
    file: 'server/src/modules/power/settlement/decide-purchases.ts',
    search: 'if (!isExact(payment, order) && payment.payer !== order.owner) return',
    replace: 'if (order.units < 0n) return',
  },
  {
    name: 'any amount settles an order',
    file: 'server/src/modules/power/settlement/decide-purchases.ts',
    search: 'payment.asset === order.asset && payment.amount === order.payable',
    replace: 'payment.asset === order.asset && payment.amount > 0n',
  },
  {
    name: 'units of a cancelled order stay reserved',
    file: 'server/src/modules/power/orders/cancel-unpaid-orders.ts',
    search: 'left: released, reserved: -released',
    replace: 'left: 0n, reserved: 0n * released',
  },
  {
    name: 'the result of a request id is not stored',
    file: 'server/src/db/idempotency/run-idempotent.ts',
    search: 'on conflict (member_id, request_key) do nothing',
    replace: "on conflict (member_id, request_key) do update set result = 'null'",
  },
]
