import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { BaseError, decodeErrorResult, type Hex, RpcRequestError } from 'viem'

/** The node's own answer among the layers that viem put around it. */
export function rpcAnswer(error: unknown): RpcRequestError | undefined {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return answer instanceof RpcRequestError ? answer : undefined
}

/** The contract's error that ended a call, with its arguments; the name is '' when it has none; undefined when the call did not end that way. */
export function gatewayError(error: unknown): { name: string; args: readonly unknown[] } | undefined {
  const answer = rpcAnswer(error)
  if (answer === undefined) return undefined
  // Most nodes use code 3 for a revert; some only say it in words.
  if (answer.code !== 3 && !/revert/i.test(answer.details)) return undefined
  const data = answer.data
  if (typeof data !== 'string' || !data.startsWith('0x')) return { name: '', args: [] }
  try {
    const { errorName, args } = decodeErrorResult({ abi: paymentGatewayAbi, data: data as Hex })
    return { name: errorName, args }
  } catch {
    return { name: '', args: [] }
  }
}
