import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { ChainModel } from './chain-model.ts'
import { addressOf, type Call, type ModelContracts } from './calls.ts'
import { ChainState } from './contract-model.ts'
import type { Wallet } from './wallets.ts'

/** What tests need that send the same calls to the model and to the real contracts. */

const own = { abi: paymentGatewayAbi } as const

/** Contract wallets on the real chain, with what the model takes them for. */
const walletCodes: { account: Hex; code: Hex; wallet: Wallet }[] = [
  { account: `0x${'e2'.repeat(20)}`, code: '0x3a600557005b60006000fd', wallet: 'refusesPriced' },
  { account: `0x${'e3'.repeat(20)}`, code: '0x600060006000600034335af100', wallet: 'returns' },
]
export const contractWallets = walletCodes.map(({ account }) => account)

/** A model of the real chain as it is now, with the same daily cap of each asset set on both, and the payer. */
export async function modelOf(real: TestChain, payer: Hex, cap: bigint, accounts: readonly Hex[]) {
  const { gateway, usdt, hash, deployer } = real
  const contracts: ModelContracts = { gateway, usdt, hash, payer, owner: deployer }
  await real.send(deployer, gateway, encodeFunctionData({ ...own, functionName: 'setPayer', args: [payer] }))
  for (const asset of assetCodes) {
    const args = [addressOf(contracts, asset), cap] as const
    await real.send(deployer, gateway, encodeFunctionData({ ...own, functionName: 'setDailyCap', args }))
  }
  await real.mine()
  const begin = await real.client.getBlock()
  const genesis = new ChainState(contracts, cap)
  for (const account of accounts) {
    for (const asset of assetCodes) genesis.mint(asset, account, await realBalance(real, asset, account))
  }
  for (const { account, code, wallet } of walletCodes) {
    await real.client.setCode({ address: account, bytecode: code })
    genesis.setWallet(account, wallet)
  }
  const chain = new ChainModel(contracts, genesis, { number: Number(begin.number), timestamp: Number(begin.timestamp) })
  return { contracts, chain }
}

export const realBalance = ({ client, usdt, hash }: TestChain, asset: AssetCode, account: Hex): Promise<bigint> =>
  asset === 'JU'
    ? client.getBalance({ address: account })
    : client.readContract({
        address: asset === 'USDT' ? usdt : hash,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      })

/** Encodes a call of the model for the real chain. */
export function realCall(call: Call, contracts: ModelContracts): { to: Hex; data: Hex; value: bigint } {
  const { gateway } = contracts
  const toGateway = (data: Hex, value = 0n) => ({ to: gateway, data, value })
  switch (call.do) {
    case 'native':
      return toGateway('0x', call.amount)
    case 'transfer': {
      const args = [gateway, call.amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return { to: addressOf(contracts, call.asset), data, value: 0n }
    }
    case 'recharge': {
      const terms = [call.amount, addressOf(contracts, call.asset), call.customer, call.reference] as const
      const args = [call.key, encodeAbiParameters(rechargeDataTypes, terms)] as const
      const data = encodeFunctionData({ ...own, functionName: 'recharge', args })
      return toGateway(data, call.asset === 'JU' ? call.amount : 0n)
    }
    case 'pay': {
      const args = [call.id, addressOf(contracts, call.asset), call.to, call.amount] as const
      return toGateway(encodeFunctionData({ ...own, functionName: 'pay', args }))
    }
    case 'pause':
      return toGateway(encodeFunctionData({ ...own, functionName: call.paused ? 'pause' : 'unpause' }))
    case 'attest': {
      const args = [call.day, call.root, call.sums, call.leaves, call.block, call.sequence] as const
      return toGateway(encodeFunctionData({ ...own, functionName: 'attest', args }))
    }
    case 'enterExit':
      return toGateway(encodeFunctionData({ ...own, functionName: 'enterExit' }))
    case 'countPaid':
    case 'claim': {
      const { member, position, owed, salt, path } = call.proof
      const args = [{ member, position, owed }, salt, path] as const
      return toGateway(encodeFunctionData({ ...own, functionName: call.do, args }))
    }
    case 'announceTaking': {
      const args = [addressOf(contracts, call.asset), call.to, call.amount] as const
      return toGateway(encodeFunctionData({ ...own, functionName: 'announceTaking', args }))
    }
    case 'take': {
      const args = [addressOf(contracts, call.asset)] as const
      return toGateway(encodeFunctionData({ ...own, functionName: 'take', args }))
    }
    case 'become':
    case 'trade':
    case 'nothing':
      break
  }
  throw new Error(`not for the real chain: ${call.do}`)
}
