import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { type CollateralAsset, collateralAssets } from '@candela/protocol/lending/choices'
import type { AssetCode } from '@candela/protocol/money/assets'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { decodeFunctionData, encodeAbiParameters, encodeEventTopics, encodeFunctionResult, type Hex } from 'viem'
import { attest, requireInTree, requireNotInExit, requireOpen } from './attest.ts'
import {
  type AttestedState,
  type InBlock,
  NOTICE_S,
  type ProvedLeaf,
  SHARING_DELAY_S,
  claimsOf,
  withClaim,
  withPaid,
} from './attested-state.ts'
import { viewAttested } from './attested-views.ts'
import { addressOf, assetOf, type Call, type ModelContracts, readCall } from './calls.ts'
import { dueOf, enterExit, potOf, shareHeld, withShared } from './exit.ts'
import { gatewayLog, type UnplacedLog } from './gateway-log.ts'
import { newPair, pairAddresses, type PairState, priceIn, reservesAt, traded, viewPair, wrappedJu } from './pairs.ts'
import { Reverted, reverted } from './reverted.ts'
import { announceTaking, take } from './taking.ts'
import { refusesNative, type RunContext, type Wallet } from './wallets.ts'

/**
 * The behaviour of the chain's contracts, as far as the server can observe it: the gateway, its two tokens, native currency,
 * nonces and gas. What the gateway keeps for exit mode and the owner's taking is in `attested-state.ts` and the files that use it.
 * `contract-model.test.ts` and `exit.long.test.ts` compare both with the real contracts on a real node.
 */

/** Money that the gateway received. The oracle reads this instead of logs, so that it does not depend on their decoding. */
export type MoneyIn = {
  key: string
  asset: AssetCode
  amount: bigint
  payer: Hex
  customer: Hex
  reference: string
}
export type MoneyOut = { id: Hex; asset: AssetCode; to: Hex; amount: bigint }

/** `refusal` is the name of the contract's error, '' when it has none. */
export type Outcome = { ok: boolean; logs: UnplacedLog[]; moneyIn?: MoneyIn; moneyOut?: MoneyOut; refusal?: string }

const DAY_S = 86_400
/** The id of what the owner takes. */
const NO_ID: Hex = `0x${'0'.repeat(64)}`

export type ViewCall = { from?: Hex | undefined; to: Hex; data: Hex; gasPrice?: bigint }

/** Storage of the contracts, and balances and nonces of all accounts, at one block. */
export class ChainState {
  private readonly balances: Map<string, bigint>
  private readonly nonces: Map<string, number>
  private readonly paid: Set<string>
  /** The part of each asset's cap that is used, and when that was. */
  private readonly used: Map<AssetCode, { amount: bigint; at: number }>
  private readonly wallets: Map<string, Wallet>
  private readonly pairs: Map<CollateralAsset, PairState>
  private paused: boolean
  /** Attestations, exit mode and the owner's taking. */
  private kept: AttestedState
  private readonly contracts: ModelContracts
  /** How much of each asset may be paid out at once, and again in a day, in base units. */
  private readonly dailyCap: bigint

  constructor(contracts: ModelContracts, dailyCap: bigint, from: ChainState | { kept: AttestedState }) {
    this.contracts = contracts
    this.dailyCap = dailyCap
    const before = from instanceof ChainState ? from : undefined
    this.balances = new Map(before?.balances)
    this.nonces = new Map(before?.nonces)
    this.paid = new Set(before?.paid)
    this.used = new Map(before?.used)
    this.wallets = new Map(before?.wallets)
    this.pairs = new Map(before?.pairs)
    this.paused = before?.paused ?? false
    this.kept = from instanceof ChainState ? from.attested : from.kept
  }

  copy(): ChainState {
    return new ChainState(this.contracts, this.dailyCap, this)
  }

  balance(asset: AssetCode, account: string): bigint {
    return this.balances.get(`${asset} ${account}`) ?? 0n
  }

  nonce(account: string): number {
    return this.nonces.get(account) ?? 0
  }

  isPaused(): boolean {
    return this.paused
  }

  get attested(): AttestedState {
    return this.kept
  }

  isPaid(id: string): boolean {
    return this.paid.has(id)
  }

  leftOfCap(asset: AssetCode, timestamp: number): bigint {
    return this.dailyCap - this.usedOf(asset, timestamp)
  }

  /** The used part comes back evenly, the whole cap in a day. */
  private usedOf(asset: AssetCode, timestamp: number): bigint {
    const { amount, at } = this.used.get(asset) ?? { amount: 0n, at: timestamp }
    const back = (this.dailyCap * BigInt(timestamp - at)) / BigInt(DAY_S)
    return back < amount ? amount - back : 0n
  }

  /** Creates money, for the initial balances. */
  mint(asset: AssetCode, account: string, amount: bigint): void {
    this.balances.set(`${asset} ${account}`, this.balance(asset, account) + amount)
  }

  setWallet(account: string, wallet: Wallet): void {
    this.wallets.set(account, wallet)
  }

  walletOf(account: string): Wallet {
    return this.wallets.get(account) ?? 'takes'
  }

  openPair(asset: CollateralAsset, price: bigint, timestamp: number): void {
    this.pairs.set(asset, newPair(price, timestamp))
  }

  pairOf(asset: CollateralAsset): PairState {
    const pair = this.pairs.get(asset)
    if (pair === undefined) throw new Error(`no pair of ${asset} was opened`)
    return pair
  }

  /** USDT base units for a whole unit. */
  priceOf(asset: CollateralAsset): bigint {
    return priceIn(this.pairOf(asset))
  }

  /** Increments the nonce, charges the gas, and applies the call; a reverted call changes nothing else. */
  run(from: Hex, call: Call, { gasUsed, gasPrice }: { gasUsed: bigint; gasPrice: bigint }, at: InBlock): Outcome {
    this.nonces.set(from, this.nonce(from) + 1)
    this.mint('JU', from, -gasUsed * gasPrice)
    const before = this.copy()
    try {
      return this.apply(from, call, at, { mined: true, gasPrice })
    } catch (error) {
      if (!(error instanceof Reverted)) throw error
      this.restore(before)
      return { ok: false, logs: [], refusal: error.refusal }
    }
  }

  /** @throws Reverted */
  private apply(from: Hex, call: Call, at: InBlock, context: RunContext): Outcome {
    switch (call.do) {
      case 'nothing':
        return { ok: true, logs: [] }
      case 'pause':
        if (this.paused === call.paused) throw new Reverted('0x', 'the paused state does not change')
        this.paused = call.paused
        return { ok: true, logs: [this.pauseLog(from)] }
      case 'become':
        this.setWallet(from, call.wallet)
        return { ok: true, logs: [] }
      case 'trade': {
        const pair = this.pairOf(call.asset)
        this.pairs.set(call.asset, traded(pair, reservesAt(call.price, pair.asset), at.timestamp))
        return { ok: true, logs: [] }
      }
      case 'swaps':
        for (const { before_s, ...reserves } of call.swaps)
          this.pairs.set(call.asset, traded(this.pairOf(call.asset), reserves, at.timestamp - before_s))
        return { ok: true, logs: [] }
      case 'native':
        return this.receive(from, { key: 'native', asset: 'JU', customer: from, reference: '', amount: call.amount })
      case 'recharge':
        return this.receive(from, call)
      case 'transfer': {
        const logs = [this.move(call.asset, from, this.contracts.gateway, call.amount)].flat()
        const { asset, amount } = call
        return {
          ok: true,
          logs,
          moneyIn: { key: 'transfer', asset, amount, payer: from, customer: from, reference: '' },
        }
      }
      case 'pay':
        return this.pay(from, call, at, context)
      case 'attest': {
        requireNotInExit(this.kept)
        if (from !== this.contracts.attester) throw reverted('NotAttester', [from])
        this.kept = attest(this.kept, call, at)
        const { day, root, sums, leaves, block: blockNumber, sequence: ledgerSequence } = call
        return this.said('Attested', { day, root, sums, leaves, blockNumber, ledgerSequence })
      }
      case 'enterExit': {
        this.kept = enterExit(this.kept, at, (asset) => this.balance(asset, this.contracts.gateway))
        const held = proofAssets.map((asset) => this.kept.shared[asset].held)
        return this.said('ExitEntered', { held, sharedAgainAt: BigInt(at.timestamp + SHARING_DELAY_S) })
      }
      case 'claim':
        return this.claim(call.proof, at, context)
      case 'announceTaking': {
        const { asset, to, amount } = call
        const held = this.balance(asset, this.contracts.gateway)
        this.kept = announceTaking(this.kept, this.contracts, { from, asset, held, to, amount }, at)
        const opensAt = BigInt(at.timestamp + NOTICE_S)
        return this.said('TakingAnnounced', { asset: addressOf(this.contracts, asset), to, amount, from: opensAt })
      }
      case 'take':
        break
    }
    const { asset } = call
    const held = this.balance(asset, this.contracts.gateway)
    const { state, to, amount } = take(this.kept, this.contracts, { from, asset, held }, at)
    this.kept = state
    const taken = this.said('Taken', { asset: addressOf(this.contracts, asset), to, amount })
    const sent = this.sendOut({ id: NO_ID, asset, to, amount }, context)
    return { ...taken, ...sent, logs: [...taken.logs, ...sent.logs] }
  }

  private said(...[eventName, args]: [Parameters<typeof gatewayLog>[1], Parameters<typeof gatewayLog>[2]]): Outcome {
    return { ok: true, logs: [gatewayLog(this.contracts.gateway, eventName, args)] }
  }

  private claim(proof: ProvedLeaf, at: InBlock, context: RunContext): Outcome {
    if (this.kept.exitedAt === 0) throw reverted('NotInExit')
    requireInTree(this.kept, this.contracts, proof)
    const { member } = proof
    const logs: UnplacedLog[] = []
    for (const asset of proofAssets) {
      this.kept = shareHeld(this.kept, asset, this.balance(asset, this.contracts.gateway))
      const before = claimsOf(this.kept, asset, member)
      const pot = potOf(this.kept, asset, this.balance(asset, this.contracts.gateway), at.timestamp)
      const due = dueOf(this.kept, proof, asset, pot)
      if (due === null || member === this.contracts.gateway) continue
      const { amount, lacking, claims, settled } = due
      const sent = this.trySend(asset, member, amount, context)
      if (sent === null) continue
      if (pot.isSharedAgain) {
        const promised = pot.promised - (before === 1 ? amount : 0n)
        this.kept = {
          ...withShared(this.kept, asset, { left: pot.left }),
          promised: { ...this.kept.promised, [asset]: promised },
        }
      }
      const { sharedAgainAt, lacking: lackingToAll } = this.kept.shared[asset]
      const beginsYear = lacking !== 0n && lackingToAll === 0n
      const year = { sharedAgainAt: beginsYear ? at.timestamp + SHARING_DELAY_S : sharedAgainAt }
      const state = withShared(this.kept, asset, { ...year, lacking: lackingToAll + lacking })
      const settledInAll = { ...state.settled, [asset]: state.settled[asset] + settled }
      this.kept = withClaim({ ...state, settled: settledInAll }, asset, member, claims)
      const claimed = { member, asset: addressOf(this.contracts, asset), amount }
      logs.push(...sent, gatewayLog(this.contracts.gateway, 'Claimed', claimed))
    }
    if (logs.length === 0) throw reverted('NothingToClaim', [member])
    return { ok: true, logs }
  }

  /** The logs of sending; null when the recipient refuses. A wallet that sends native currency back keeps it: the gateway takes none. */
  private trySend(asset: AssetCode, to: Hex, amount: bigint, context: RunContext): UnplacedLog[] | null {
    const refuses = asset === 'JU' ? refusesNative(this.walletOf(to), context) : this.walletOf(to) === 'refuses'
    if (refuses || this.balance(asset, this.contracts.gateway) < amount) return null
    return this.move(asset, this.contracts.gateway, to, amount)
  }

  private receive(from: Hex, terms: Omit<MoneyIn, 'payer'>): Outcome {
    requireOpen(this.kept)
    if (terms.amount === 0n) throw reverted('ZeroAmount')
    const moved = this.move(terms.asset, from, this.contracts.gateway, terms.amount)
    const log = gatewayLog(this.contracts.gateway, 'TransactionDetails', {
      tokenAddress: [addressOf(this.contracts, terms.asset)],
      amount: [terms.amount],
      remark: `${terms.key}:${terms.reference}`,
      customerAddress: [from, terms.customer],
    })
    const { key, asset, amount, customer, reference } = terms
    return { ok: true, logs: [...moved, log], moneyIn: { key, asset, amount, payer: from, customer, reference } }
  }

  private pay(
    from: Hex,
    { id, asset, to, amount }: Extract<Call, { do: 'pay' }>,
    { number, timestamp }: InBlock,
    context: RunContext,
  ): Outcome {
    const { gateway, payer } = this.contracts
    if (this.paused) throw reverted('EnforcedPause')
    if (from !== payer) throw reverted('NotPayer', [from])
    requireNotInExit(this.kept)
    if (this.paid.has(id)) throw reverted('AlreadyPaid', [id])
    if (amount === 0n) throw reverted('ZeroAmount')
    const left = this.leftOfCap(asset, timestamp)
    const address = addressOf(this.contracts, asset)
    if (amount > left) throw reverted('DailyCapExceeded', [address, amount, left])
    this.paid.add(id)
    this.used.set(asset, { amount: this.usedOf(asset, timestamp) + amount, at: timestamp })
    this.kept = withPaid(this.kept, asset, to, amount, number)
    const log = gatewayLog(gateway, 'Paid', { id, asset: address, to, amount })
    const sent = this.sendOut({ id, asset, to, amount }, context)
    return { ...sent, logs: [log, ...sent.logs], moneyOut: { id, asset, to, amount } }
  }

  /** Sends exactly that amount, or reverts. Some wallets send native currency back. */
  private sendOut({ id, asset, to, amount }: MoneyOut, context: RunContext): Outcome {
    const { gateway } = this.contracts
    if (asset === 'JU' && (refusesNative(this.walletOf(to), context) || this.balance('JU', gateway) < amount)) {
      throw reverted('NativePaymentFailed', [id, to, amount])
    }
    const moved = this.move(asset, gateway, to, amount)
    if (asset !== 'JU' || this.walletOf(to) !== 'returns') return { ok: true, logs: moved }
    const back = this.receive(to, { key: 'native', asset, customer: to, reference: '', amount })
    return { ...back, logs: [...moved, ...back.logs] }
  }

  private pauseLog(account: Hex): UnplacedLog {
    const eventName = this.paused ? 'Paused' : 'Unpaused'
    return gatewayLog(this.contracts.gateway, eventName, { account })
  }

  /** Transfers an amount. Returns the token's log. */
  private move(asset: AssetCode, from: Hex, to: Hex, amount: bigint): UnplacedLog[] {
    if (this.balance(asset, from) < amount) throw new Reverted('0x', 'the balance is too small')
    if (asset !== 'JU' && this.walletOf(to) === 'refuses') throw new Reverted('0x', 'the account is frozen')
    this.mint(asset, from, -amount)
    this.mint(asset, to, amount)
    if (asset === 'JU') return []
    const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as Hex[]
    return [
      { address: addressOf(this.contracts, asset), topics, data: encodeAbiParameters([{ type: 'uint256' }], [amount]) },
    ]
  }

  private restore(before: ChainState): void {
    for (const key of ['balances', 'nonces', 'used', 'wallets', 'pairs'] as const) {
      const target = this[key] as Map<string, unknown>
      target.clear()
      for (const [name, value] of before[key]) target.set(name, value)
    }
    this.paid.clear()
    for (const id of before.paid) this.paid.add(id)
    this.paused = before.paused
    this.kept = before.kept
  }

  /** `eth_call`. @throws Reverted */
  view({ from, to, data, gasPrice = 0n }: ViewCall, at: InBlock): Hex {
    const { contracts } = this
    const paired = collateralAssets.find((asset) => pairAddresses[asset] === to)
    if (paired !== undefined) {
      const token = paired === 'JU' ? wrappedJu : contracts.hash
      return viewPair(this.pairOf(paired), [token, contracts.usdt], data)
    }
    if (to !== contracts.gateway) {
      const { args } = decodeFunctionData({ abi: erc20Abi, data })
      const [account] = args as readonly [Hex]
      const asset = to === contracts.usdt ? 'USDT' : 'HASH'
      return encodeFunctionResult({
        abi: erc20Abi,
        functionName: 'balanceOf',
        result: this.balance(asset, account.toLowerCase()),
      })
    }
    const call = decodeFunctionData({ abi: paymentGatewayAbi, data })
    const abi = paymentGatewayAbi
    if (call.functionName === 'leftOfCap') {
      const result = this.leftOfCap(assetOf(contracts, call.args[0]), at.timestamp)
      return encodeFunctionResult({ abi, functionName: 'leftOfCap', result })
    }
    if (call.functionName === 'dailyCap') {
      return encodeFunctionResult({ abi, functionName: 'dailyCap', result: this.dailyCap })
    }
    if (call.functionName === 'isPaid') {
      return encodeFunctionResult({ abi, functionName: 'isPaid', result: this.isPaid(call.args[0]) })
    }
    if (call.functionName === 'payer') {
      return encodeFunctionResult({ abi, functionName: 'payer', result: contracts.payer })
    }
    const heldOf = (asset: AssetCode) => this.balance(asset, contracts.gateway)
    const answer = viewAttested(this.kept, contracts, call, { ...at, heldOf })
    if (answer !== undefined) return answer
    const tried = readCall(contracts, to, data, 0n)
    this.copy().apply(from ?? NATIVE_ASSET, tried, at, { mined: false, gasPrice })
    return '0x'
  }
}
