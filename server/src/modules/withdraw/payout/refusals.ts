/**
 * Names of the gateway's errors that the recipient or the token can cause, as `PayoutSimulation.refusal` gives them; `''` is an error of the
 * token itself. A recipient cannot cause another one: the gateway does not pass on what a recipient returns.
 */
const recipientErrors: ReadonlySet<string> = new Set([
  '',
  'BadRecipient',
  'NativePaymentFailed',
  'SafeERC20FailedOperation',
  'WrongAmountMoved',
])

/**
 * Whether a trial payment was refused because of its recipient. False for every other error of the gateway: a pause, another payer, exit
 * mode, and `CheckpointUnorderedInsertion`, which comes from a node that used the state of one block with the number of the block before.
 */
export const isCausedByRecipient = (refusal: string): boolean => recipientErrors.has(refusal)
