import type { ReceiptMemo } from '../memos.ts'

/** The memo of a deposit that no test asks about; `reference` tells several of them apart. */
export const testMemo = (reference = 'test'): ReceiptMemo => ({
  action: 'deposit',
  reference,
  payer: '0x',
  customer: '0x',
  txHash: '0x',
})
