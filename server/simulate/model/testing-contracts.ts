import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { encodeAbiParameters, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { ChainModel } from './chain-model.ts'
import { neverAttested } from './attested-state.ts'
import { addressOf, type Call, type ModelContracts } from './calls.ts'
import { ChainState } from './contract-model.ts'
import type { Wallet } from './wallets.ts'

/** The parts of tests that send the same calls to the model and to the real contracts. */

const own = { abi: paymentGatewayAbi } as const

/** Contract wallets on the real chain, with what the model takes them for. */
const walletCodes: { account: Hex; code: Hex; wallet: Wallet }[] = [
  { account: `0x${'e2'.repeat(20)}`, code: '0x3a600557005b60006000fd', wallet: 'refusesPriced' },
  { account: `0x${'e3'.repeat(20)}`, code: '0x600060006000600034335af100', wallet: 'returns' },
]
export const contractWallets = walletCodes.map(({ account }) => account)

/** A model of the real chain as it is now, with a new gateway that has the same cap of each asset and the same roles on both. */
export async function modelOf(
  real: TestChain,
  { payer, attester, cap }: { payer: Hex; attester: Hex; cap: bigint },
  accounts: readonly Hex[],
) {
  const { usdt, hash, deployer } = real
  const { gateway } = await real.deployGateway({ payer, attester, caps: [cap, cap, cap] })
  for (const account of accounts) {
    for (const token of [usdt, hash]) {
      const approve = { abi: erc20Abi, functionName: 'approve', args: [gateway, maxUint256] } as const
      await real.send(account, token, encodeFunctionData(approve))
    }
  }
  await real.mine()
  const contracts: ModelContracts = { gateway, usdt, hash, payer, attester, owner: deployer }
  const begin = await real.client.getBlock()
  const last = await real.client.readContract({ address: gateway, ...own, functionName: 'lastAttestation' })
  const opening = {
    ...neverAttested.last,
    ...last,
    subcoin: hash,
    block: last.blockNumber,
    sequence: last.ledgerSequence,
  }
  const { blockNumber: _block, ledgerSequence: _sequence, ...attested } = opening
  const genesis = new ChainState(contracts, cap, { kept: { ...neverAttested, last: attested } })
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
      const args = [call.day, call.root, call.sums, call.subcoin, call.leaves, call.block, call.sequence] as const
      return toGateway(encodeFunctionData({ ...own, functionName: 'attest', args }))
    }
    case 'enterExit':
      return toGateway(encodeFunctionData({ ...own, functionName: 'enterExit' }))
    case 'claim': {
      const { member, position, owed, salt, path } = call.proof
      const args = [{ member, position, owed }, salt, path] as const
      return toGateway(encodeFunctionData({ ...own, functionName: 'claim', args }))
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
    case 'swaps':
    case 'nothing':
      break
  }
  throw new Error(`not for the real chain: ${call.do}`)
}
