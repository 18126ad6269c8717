/**
 * The contents of a development chain before anybody uses it, as a list of transactions of one account. A transaction's place in the
 * list is its nonce, so the addresses are known beforehand and a deployment that was cut short goes on where the chain says it stopped.
 */
import { type Artifact, loadArtifact, uniswapArtifact } from '@candela/contracts/artifacts.ts'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { stablecoinAbi } from '@candela/protocol/abi/stablecoin'
import { uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  maxUint256,
  parseEther,
} from 'viem'
import { gatewayArguments, openingCalls, ROLE } from '@candela/testing/chain/gateway'
import { serviceAccount, type TestAccount } from '@candela/testing/chain/accounts'

/** One transaction of the owner. `creates` is set when it makes a contract. */
export interface DeployStep {
  nonce: number
  /** A group for people: the launcher says each once. */
  title: string
  to: Hex | null
  data: Hex
  value: bigint
  creates: Hex | undefined
}

/** The addresses that the plan leads to. */
export interface PlannedContracts {
  usdt: Hex
  hash: Hex
  wju: Hex
  factory: Hex
  router: Hex
  gateway: Hex
}

const supply = { usdt: parseEther('1000000000'), hash: parseEther('200000000') }
/** One JU starts at 5 USDT and one HASH at 0.8 USDT; a purchase of 10,000 USDT moves them by far less than 1 %. */
const pools = {
  ju: { native: parseEther('2000000'), usdt: parseEther('10000000') },
  hash: { hash: parseEther('10000000'), usdt: parseEther('8000000') },
}
/** The most that the payer may pay out at once, and again within 24 hours. */
const dailyCaps = { ju: parseEther('20000'), usdt: parseEther('100000'), hash: parseEther('125000') }
/** The attester begins with this, for gas. */
const attesterGas = parseEther('1000')
/** Each account but the owner begins with this, besides the 10,000 JU that the chain itself gives. */
const gifts = { usdt: parseEther('100000'), hash: parseEther('20000') }
/** The owner pays this in for the exchange desk to sell; it is known by the reference. */
export const deskStock = { ju: parseEther('40000'), usdt: parseEther('200000'), hash: parseEther('250000') }
export const deskReference = 'desk-stock'

/** Compiles what must be compiled and lays out every step. @throws when the contracts do not compile */
export async function planDeployment(
  accounts: readonly TestAccount[],
): Promise<{ steps: DeployStep[]; contracts: PlannedContracts }> {
  const [owner, payer, ...users] = accounts
  if (owner === undefined || payer === undefined) throw new Error('A deployment needs an owner and a payer')
  const token = await loadArtifact('StablecoinToken')
  const steps: DeployStep[] = []
  const create = (title: string, artifact: Artifact, args: readonly unknown[]): Hex => {
    const nonce = steps.length
    const creates = getContractAddress({ from: owner.address, nonce: BigInt(nonce) })
    const data = encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode, args })
    steps.push({ nonce, title, to: null, data, value: 0n, creates })
    return creates
  }
  const call = (title: string, to: Hex, data: Hex, value = 0n): void => {
    steps.push({ nonce: steps.length, title, to, data, value, creates: undefined })
  }

  const usdt = create('test USDT', token, ['Test USDT', 'USDT', supply.usdt, owner.address])
  const hash = create('test HASH', token, ['Test HASH', 'HASH', supply.hash, owner.address])
  const wju = create('WJU', await uniswapArtifact('WETH9'), [])
  const factory = create('Uniswap V2 factory', await uniswapArtifact('UniswapV2Factory'), [owner.address])
  const router = create('Uniswap V2 router', await uniswapArtifact('UniswapV2Router02'), [factory, wju])
  for (const asset of [usdt, hash]) {
    const args = [router, maxUint256] as const
    call('liquidity', asset, encodeFunctionData({ abi: stablecoinAbi, functionName: 'approve', args }))
  }
  const { ju: juPool, hash: hashPool } = pools
  const [hashIn, usdtIn] = [hashPool.hash, hashPool.usdt]
  call(
    'liquidity',
    router,
    encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'addLiquidity',
      args: [hash, usdt, hashIn, usdtIn, hashIn, usdtIn, owner.address, maxUint256],
    }),
  )
  call(
    'liquidity',
    router,
    encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'addLiquidityETH',
      args: [usdt, juPool.usdt, juPool.usdt, juPool.native, owner.address, maxUint256],
    }),
    juPool.native,
  )
  const attester = serviceAccount('attester').address
  const roles = {
    owner: owner.address,
    payer: payer.address,
    standbyPayer: serviceAccount('standbyPayer').address,
    attester,
    guardian: serviceAccount('guardian').address,
    caps: [dailyCaps.usdt, dailyCaps.hash, dailyCaps.ju],
  } as const
  const construction = gatewayArguments(roles, { router, usdt, hash })
  const gateway = create('PaymentGateway', await loadArtifact('PaymentGateway'), construction)
  for (const data of openingCalls(hash)) call('PaymentGateway settings', gateway, data)
  const standby = [ROLE.attester, serviceAccount('standbyAttester').address] as const
  const name = { abi: paymentGatewayAbi, functionName: 'nameStandby', args: standby } as const
  call('PaymentGateway settings', gateway, encodeFunctionData(name))
  call('PaymentGateway settings', attester, '0x', attesterGas)
  for (const { address } of [payer, ...users]) {
    for (const [asset, amount] of [
      [usdt, gifts.usdt],
      [hash, gifts.hash],
    ] as const) {
      const args = [address, amount] as const
      call('test accounts', asset, encodeFunctionData({ abi: stablecoinAbi, functionName: 'transfer', args }))
    }
  }
  // Last, so that what an installation had before keeps its place in the list.
  for (const [asset, amount] of [
    [NATIVE_ASSET, deskStock.ju],
    [usdt, deskStock.usdt],
    [hash, deskStock.hash],
  ] as const) {
    const isNative = asset === NATIVE_ASSET
    const approve = { abi: stablecoinAbi, functionName: 'approve', args: [gateway, amount] } as const
    if (!isNative) call('stock of the exchange desk', asset, encodeFunctionData(approve))
    const terms = encodeAbiParameters(rechargeDataTypes, [amount, asset, owner.address, deskReference])
    const recharge = { abi: paymentGatewayAbi, functionName: 'recharge', args: ['deposit', terms] } as const
    call('stock of the exchange desk', gateway, encodeFunctionData(recharge), isNative ? amount : 0n)
  }
  return { steps, contracts: { usdt, hash, wju, factory, router, gateway } }
}
