import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { WHOLE } from '@candela/server/modules/power/testing'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { TestChain } from '@candela/testing/chain/test-chain'

/** Makes a new key the contract's payer, with daily caps that no withdrawal of this test reaches. */
export async function makePayer(chain: TestChain): Promise<Hex> {
  const key = generatePrivateKey()
  const own = { abi: paymentGatewayAbi } as const
  const owner = (data: Hex) => chain.send(chain.deployer, chain.gateway, data)
  await owner(encodeFunctionData({ ...own, functionName: 'setPayer', args: [privateKeyToAddress(key)] }))
  for (const asset of [NATIVE_ASSET as Hex, chain.usdt, chain.hash]) {
    await owner(encodeFunctionData({ ...own, functionName: 'setDailyCap', args: [asset, 10n ** 9n * WHOLE] }))
  }
  await chain.client.setBalance({ address: privateKeyToAddress(key), value: 1_000n * WHOLE })
  await chain.mine()
  return key
}
