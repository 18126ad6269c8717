import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { type AbiParameter, encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex } from 'viem'

/** A log without its position in a block. */
export type UnplacedLog = { address: Hex; topics: Hex[]; data: Hex }

type EventName = Extract<(typeof paymentGatewayAbi)[number], { type: 'event' }>['name']

/** A log of the gateway. @param args every argument of the event by its name */
export function gatewayLog(address: Hex, eventName: EventName, args: Readonly<Record<string, unknown>>): UnplacedLog {
  const { inputs } = getAbiItem({ abi: paymentGatewayAbi, name: eventName }) as {
    inputs: readonly (AbiParameter & { indexed?: boolean; name: string })[]
  }
  const plain = inputs.filter(({ indexed }) => indexed !== true)
  return {
    address,
    topics: encodeEventTopics({ abi: paymentGatewayAbi, eventName, args }) as Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name }) => args[name]),
    ),
  }
}
