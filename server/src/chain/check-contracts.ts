import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { uniswapV2FactoryAbi, uniswapV2PairAbi, uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { ask, RpcError } from './ask.ts'
import { type ChainClient } from './client.ts'

/** Addresses of the settings, lower case. */
export type ContractSettings = { gateway: Hex; usdt: Hex; hash: Hex; wju: Hex; hashPair: Hex; juPair: Hex }

/** Every amount is computed with these decimals, on chain and off it. */
const DECIMALS = 18

/**
 * Compares the settings with what the payment contract, its swap router, the pairs and the tokens say of themselves at the newest
 * block. A wrong address would put payments into wrong books, or take prices from a pair of other tokens.
 * @returns the first difference, beginning with the setting's name; null when there is none
 * @throws RpcError when the node does not answer
 */
export async function differenceFromContracts(client: ChainClient, settings: ContractSettings): Promise<string | null> {
  const { gateway, usdt, hash, wju, hashPair, juPair } = settings
  const at = reader(client)
  const code = await ask('code of the gateway', () => client.getCode({ address: gateway }))
  if (code === undefined) return `GATEWAY_ADDRESS ${gateway}: there is no contract at this address`

  const [own, tokens, pairs] = await Promise.all([
    all(['usdt', 'token', 'pair', 'swapRouter'], (name) => at(gateway, paymentGatewayAbi, name)),
    all([usdt, hash, wju], (token) => at(token, erc20Abi, 'decimals')),
    all([hashPair, juPair], async (pair) =>
      Promise.all([at(pair, uniswapV2PairAbi, 'token0'), at(pair, uniswapV2PairAbi, 'token1')]),
    ),
  ])
  const [ownUsdt, ownToken, ownPair, router] = own
  if (typeof router !== 'string') return `GATEWAY_ADDRESS ${gateway}: the contract there does not answer swapRouter()`
  const [wrapped, factory] = await all(['WETH', 'factory'], (name) => at(router as Hex, uniswapV2RouterAbi, name))
  const routerPair =
    typeof factory === 'string' ? await at(factory as Hex, uniswapV2FactoryAbi, 'getPair', [wju, usdt]) : null

  const [usdtDecimals, hashDecimals, wjuDecimals] = tokens
  const [sidesOfHash, sidesOfJu] = pairs
  return (
    unequal('USDT_ADDRESS', usdt, 'usdt() of the payment contract', ownUsdt) ??
    unequal('HASH_ADDRESS', hash, 'token() of the payment contract', ownToken) ??
    unequal('HASH_PAIR_ADDRESS', hashPair, 'pair() of the payment contract', ownPair) ??
    unequal('WJU_ADDRESS', wju, `WETH() of the contract's swap router ${router}`, wrapped) ??
    unequal(
      'JU_PAIR_ADDRESS',
      juPair,
      `the pair of WJU and USDT at the contract's swap router ${router}`,
      routerPair,
    ) ??
    otherSides('HASH_PAIR_ADDRESS', hashPair, sidesOfHash, [hash, usdt]) ??
    otherSides('JU_PAIR_ADDRESS', juPair, sidesOfJu, [wju, usdt]) ??
    otherDecimals('USDT_ADDRESS', usdt, usdtDecimals) ??
    otherDecimals('HASH_ADDRESS', hash, hashDecimals) ??
    otherDecimals('WJU_ADDRESS', wju, wjuDecimals)
  )
}

const all = <T, R>(values: readonly T[], read: (value: T) => Promise<R>): Promise<R[]> => Promise.all(values.map(read))

/** An address in lower case or a number; null from what has no such function. */
type Answer = string | number | null

/** Asks a contract, in one batch with what else is asked in the same tick. */
function reader(client: ChainClient) {
  return async (address: Hex, abi: Abi, functionName: string, args: readonly unknown[] = []): Promise<Answer> => {
    const data = encodeFunctionData({ abi, functionName, args })
    try {
      const answer = await ask(`${functionName}() of ${address}`, () => client.call({ to: address, data }))
      const value: unknown = decodeFunctionResult({ abi, functionName, data: answer.data ?? '0x' })
      if (typeof value === 'number') return value
      return typeof value === 'string' ? value.toLowerCase() : null
    } catch (error) {
      // A call that the node did not carry out says nothing about the contract.
      if (error instanceof RpcError && !isRevert(error)) throw error
      return null
    }
  }
}

/** As JSON-RPC has it since 2020 (code 3), and as nodes say it that have no code of its own for it. */
const isRevert = ({ failure, code, message }: RpcError): boolean =>
  failure === 'refused' && (code === 3 || /revert/i.test(message))

function unequal(setting: string, is: Hex, what: string, answer: Answer | undefined): string | null {
  if (answer === is) return null
  return `${setting} is ${is}, but ${what} is ${answer ?? 'not answered'}`
}

function otherSides(setting: string, pair: Hex, sides: Answer[] | undefined, wanted: readonly Hex[]): string | null {
  const held = sides ?? []
  if (wanted.every((token) => held.includes(token))) return null
  const shown = held.map((side) => side ?? 'not answered').join(' and ')
  return `${setting} ${pair}: its two sides must be ${wanted.join(' and ')}, but are ${shown}`
}

function otherDecimals(setting: string, token: Hex, answer: Answer | undefined): string | null {
  if (answer === DECIMALS) return null
  return `${setting} ${token}: decimals() must be ${DECIMALS}, but is ${answer ?? 'not answered'}`
}
