import type { AssetCode } from '@candela/protocol/money/assets'
import { timeOfId, uuidFromName } from '../../kernel/ids.ts'
import { memberAccount } from '../../ledger/chart.ts'
import type { Memo } from '../../ledger/memos.ts'
import type { Posting } from '../../ledger/post.ts'
import type { Party } from './find-parties.ts'

/** The facts that a transfer is posted from. Amount in base units. */
export type SignedTransfer = {
  transferNo: string
  sender: Party
  recipient: Party
  asset: AssetCode
  amount: bigint
  requestId: string
  deadline: Date
  signature: `0x${string}`
}

/** A signature moves value once: its posting's id follows from the sender and the request id that was signed. */
export const transferPosting = (transfer: SignedTransfer, now: Date): Posting => ({
  id: uuidFromName(`transfer:${transfer.sender.id}:${transfer.requestId}`, timeOfId(transfer.requestId)),
  kind: 'transfer',
  legs: [
    {
      debit: memberAccount(transfer.sender.id, 'memberAvailable', transfer.asset),
      credit: memberAccount(transfer.recipient.id, 'memberAvailable', transfer.asset),
      amount: transfer.amount,
    },
  ],
  memo: memoOf(transfer),
  occurredAt: now,
})

const memoOf = ({
  transferNo,
  sender,
  recipient,
  requestId,
  deadline,
  signature,
}: SignedTransfer): Memo<'transfer'> => ({
  transferNo,
  from: sender.address,
  fromUid: sender.uid.toString(),
  to: recipient.address,
  toUid: recipient.uid.toString(),
  requestId,
  deadline: deadline.toISOString(),
  signature,
})
