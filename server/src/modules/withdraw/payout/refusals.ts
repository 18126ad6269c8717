/**
 * What ends a payment for a reason of its recipient: the gateway's errors after it has called the recipient or the token, and `''`
 * for an error of the token's own. No recipient can pretend another error: what it answers is not passed on, and a token's code is not its.
 */
const ofRecipient: ReadonlySet<string> = new Set([
  '',
  'BadRecipient',
  'NativePaymentFailed',
  'SafeERC20FailedOperation',
  'WrongAmountMoved',
])

/**
 * Whether the recipient is why a trial payment was refused. False for whatever else the contract says, also for what no chain can
 * bring about: a node that answers while a block arrives has mixed the state of one block with the number of another
 * (`CheckpointUnorderedInsertion`).
 */
export const isOfRecipient = (refusal: string): boolean => ofRecipient.has(refusal)
