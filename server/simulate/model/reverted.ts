import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { encodeErrorResult, type Hex } from 'viem'

/** A reverted call with the contract's encoded error. */
export class Reverted extends Error {
  override readonly name = 'Reverted'
  readonly data: Hex
  /** Name of the error; '' when it has none. */
  readonly refusal: string

  constructor(data: Hex, message: string, refusal = '') {
    super(message)
    this.data = data
    this.refusal = refusal
  }
}

type ErrorName = Extract<(typeof paymentGatewayAbi)[number], { type: 'error' }>['name']

/** The contract's error of this name. */
export function reverted(errorName: ErrorName, args: readonly unknown[] = []): Reverted {
  return new Reverted(
    encodeErrorResult({ abi: paymentGatewayAbi, errorName, args: args as never }),
    `reverted: ${errorName}`,
    errorName,
  )
}
