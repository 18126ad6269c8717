import { nextRequestId } from './next-request-id.ts'
import { assetCodes } from '@candela/protocol/money/assets'
import type { Hex } from 'viem'
import type { Call } from '../model/calls.ts'
import type { ServerProcess } from '../run/server-process.ts'
import { type Simulation, WHOLE } from '../run/simulation.ts'
import { send } from './chain-actions.ts'
import { runCommand } from './run-command.ts'

/** The acts of members and other payers. */

/** The terms of a payment as the server returns them: amount, asset's address, customer, reference. */
type PaymentTuple = readonly [string, string, string, string]

/** A member requests a power order or a deposit, and mostly pays it. */
export function requestPayment(simulation: Simulation): Promise<void> {
  const { random } = simulation
  const owner = random.pick(simulation.members)
  const memberId = simulation.memberIds.get(owner) as bigint
  const asset = random.pick(assetCodes)
  const amount = BigInt(5 + random.below(random.chance(0.2) ? 400 : 60)) * WHOLE + BigInt(random.below(1000))
  const isOrder = random.chance(0.4) && asset !== 'HASH'
  const isPaid = random.chance(0.8)
  const run = async (process: ServerProcess, requestId: string) => {
    const payment = isOrder
      ? (await process.order({ planId: Number(simulation.planId), asset, requestId }, memberId)).order.transaction
      : (await process.deposit({ asset, amount, requestId }, memberId)).transaction
    return () => {
      // A repeated request may get an order that has expired and can no longer be paid.
      if (payment === null) return
      const { tuple, abiKey } = payment
      // A repeated request gets the same order, which must not be paid a second time for that.
      if (simulation.offeredPayments.some((known) => known.tuple[3] === tuple[3])) return
      simulation.offeredPayments.push({ tuple, key: abiKey, owner })
      if (isPaid) send(simulation, owner, rechargeCall(simulation, tuple, abiKey))
    }
  }
  const name = isOrder ? 'order' : 'deposit'
  simulation.requestCounts[name] += 1
  const command = { name, memberId, requestId: nextRequestId(simulation), run }
  return runCommand(simulation, command, random.chance(0.15))
}

export async function requestWithdrawal(simulation: Simulation): Promise<void> {
  const { random } = simulation
  const owner = random.pick(simulation.members)
  const memberId = simulation.memberIds.get(owner) as bigint
  const input = {
    asset: random.pick(assetCodes),
    amount: BigInt(5 + random.below(100)) * WHOLE + BigInt(random.below(1000)),
  }
  const run = async (process: ServerProcess, requestId: string) => {
    await process.withdraw({ ...input, requestId }, memberId)
    return () => undefined
  }
  simulation.requestCounts.withdraw += 1
  const command = { name: 'withdraw', memberId, requestId: nextRequestId(simulation), run }
  await runCommand(simulation, command, random.chance(0.15))
}

function rechargeCall({ contracts }: Simulation, tuple: PaymentTuple, key: string): Call {
  const [amount, address, customer, reference] = tuple
  const asset = address === contracts.usdt ? 'USDT' : address === contracts.hash ? 'HASH' : 'JU'
  return { do: 'recharge', key, asset, amount: BigInt(amount), customer: customer as Hex, reference }
}

/** Sends a payment: one that the server has offered, exactly or altered, or one that matches nothing. */
export function pay(simulation: Simulation): void {
  const { random, offeredPayments } = simulation
  const everybody = [...simulation.members, ...simulation.strangers]
  const from = random.pick(everybody)
  const isOffered = random.chance(0.5) && offeredPayments.length > 0
  const offered = isOffered ? random.pick(offeredPayments.slice(-8)) : undefined
  const asset = random.pick(assetCodes)
  const amount = BigInt(1 + random.below(20)) * WHOLE + BigInt(random.below(1_000_000))
  if (offered !== undefined) {
    const exact = rechargeCall(simulation, offered.tuple, offered.key)
    if (random.chance(0.6)) return send(simulation, from, exact)
    // Small enough to need no more confirmations than the exact payment, so that it is not credited before an earlier one.
    return send(simulation, from, { ...exact, asset, amount } as Call)
  }
  const customer = random.pick(everybody)
  switch (random.weighted({ native: 3, transfer: 2, deposit: 4, buyPower: 2, repay: 1, revenue: 1 })) {
    case 'native':
      return send(simulation, from, { do: 'native', amount })
    case 'transfer':
      return send(simulation, from, { do: 'transfer', asset: random.pick(['USDT', 'HASH'] as const), amount })
    case 'deposit':
      return send(simulation, from, { do: 'recharge', key: 'deposit', asset, amount, customer, reference: '' })
    case 'buyPower':
      return send(simulation, from, { do: 'recharge', key: 'buyPower', asset, amount, customer, reference: 'NO-ORDER' })
    case 'repay':
      return send(simulation, from, { do: 'recharge', key: 'repay', asset, amount, customer, reference: 'NO-LOAN' })
    case 'revenue': {
      const reference = random.pick(['2026-03-01', '2026-02-30', '0000-01-01', '9999-12-31', 'soon'])
      return send(simulation, from, { do: 'recharge', key: 'revenue', asset, amount, customer, reference })
    }
  }
}
