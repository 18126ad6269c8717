import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { type AssetCode, isAssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { decodeFunctionData, encodeFunctionData, getAddress, type Hex, zeroAddress } from 'viem'
import { RpcError } from '../../../chain/ask.ts'
import {
  type AssetControl,
  type GatewayControl,
  readGatewayControl,
  ROLES,
  tryCall,
} from '../../../chain/payout/gateway-control.ts'
import type { Tx } from '../../../db/open.ts'
import { OperatorError } from '../../../kernel/errors.ts'
import type { OperatorChain } from '../../find-chain.ts'
import type { Output } from '../../print.ts'
import type { Bindings, Work } from '../../run.ts'
import { showControl } from './show-contract.ts'
import type { CommandName } from '../../table/command-table.ts'

type Deps = { openChain: () => Promise<OperatorChain> }
type ContractName = Extract<CommandName, `contract ${string}`>

/** A call of the contract that somebody is to sign. */
type Act = {
  data: Hex
  /** The effect, in words. */
  effect: string
  /** The account that may send it; the owner when absent. */
  sender?: Hex
  /** Whether the owner may send it besides. */
  orOwner?: boolean
  /** Whether it can be followed by an act only after the contract's notice. */
  isAnnouncement?: boolean
}

/** Each function has other arguments, so that none gets those of another one. */
const encode = encodeFunctionData<typeof paymentGatewayAbi>
const abi = paymentGatewayAbi

export const contractCommands = (deps: Deps): Bindings<ContractName> => ({
  'contract show': (tx) => withControl(deps, (control) => showControl(tx, control)),
  'contract pause': act(deps, (_input, { guardian }) => ({
    data: encode({ abi, functionName: 'pause' }),
    effect: 'stops payments out; what comes in goes on',
    ...(guardian === null ? {} : { sender: guardian, orOwner: true }),
  })),
  'contract unpause': act(deps, () => ({
    data: encode({ abi, functionName: 'unpause' }),
    effect: 'lets payments out go on',
  })),
  'contract switch': act(deps, ({ role }, control) => ({
    data: encode({ abi, functionName: 'switchToStandby', args: [ROLES[role]] }),
    effect: `${control.standbys[role]?.account ?? 'nobody'} is the ${role}, and ${control[role] ?? 'nobody'} is not any more`,
  })),
  'contract remove-payer': act(deps, (_input, { payer }) => ({
    data: encode({ abi, functionName: 'removePayer' }),
    effect: `${payer ?? 'nobody'} is not the payer any more, and nobody is`,
  })),
  'contract standby': act(deps, ({ role, address }, { standbys }) => ({
    data: encode({ abi, functionName: 'nameStandby', args: [ROLES[role], someone(address)] }),
    effect: `${getAddress(address)} can become the ${role} by \`contract switch ${role}\`; the standby of now, ${standbys[role]?.account ?? 'nobody'}, ends at once`,
    isAnnouncement: true,
  })),
  'contract guardian': act(deps, ({ address }, { guardian }) => ({
    data: encode({ abi, functionName: 'setGuardian', args: [someone(address)] }),
    effect: `${getAddress(address)} can pause, and ${guardian ?? 'nobody'} cannot any more`,
  })),
  'contract lower-cap': act(deps, (input, control) => {
    const { asset, cap, address } = assetOf(input.asset, control)
    const amount = toBaseUnits(input.amount)
    return {
      data: encode({ abi, functionName: 'lowerCap', args: [address, amount] }),
      effect: `at most ${fromBaseUnits(amount)} ${asset} are paid out at once, not ${fromBaseUnits(cap)}`,
    }
  }),
  'contract announce-cap': act(deps, (input, control) => {
    const { asset, cap, address } = assetOf(input.asset, control)
    const amount = toBaseUnits(input.amount)
    if (amount <= cap)
      throw new OperatorError(`the cap is ${fromBaseUnits(cap)} ${asset} already: a lower one needs no notice`)
    return {
      data: encode({ abi, functionName: 'announceRaise', args: [address, amount] }),
      effect: `the cap of ${fromBaseUnits(cap)} ${asset} can become ${fromBaseUnits(amount)} by \`contract raise-cap ${asset}\``,
      isAnnouncement: true,
    }
  }),
  'contract raise-cap': act(deps, (input, control) => {
    const { asset, cap, raise, address } = assetOf(input.asset, control)
    const to = raise === null ? '' : `, not ${fromBaseUnits(cap)}`
    return {
      data: encode({ abi, functionName: 'raiseCap', args: [address] }),
      effect: `at most ${fromBaseUnits(raise?.amount ?? 0n)} ${asset} are paid out at once${to}`,
    }
  }),
  'contract announce-taking': act(deps, (input, control) => {
    const { asset, address } = assetOf(input.asset, control)
    const amount = toBaseUnits(input.amount)
    if (amount === 0n) throw new OperatorError(`give \`contract take-back taking:${asset}\` for that`)
    return {
      data: encode({ abi, functionName: 'announceTaking', args: [address, someone(input.to), amount] }),
      effect: `${fromBaseUnits(amount)} ${asset} can go to ${getAddress(input.to)} by \`contract take ${asset}\``,
      isAnnouncement: true,
    }
  }),
  'contract take': act(deps, (input, control) => {
    const { asset, taking, address } = assetOf(input.asset, control)
    return {
      data: encode({ abi, functionName: 'take', args: [address] }),
      effect: `${fromBaseUnits(taking?.amount ?? 0n)} ${asset} go to ${taking?.to ?? 'nobody'}`,
    }
  }),
  'contract announce-owner': act(deps, ({ address }, { owner }) => ({
    data: encode({ abi, functionName: 'transferOwnership', args: [someone(address)] }),
    effect: `${getAddress(address)} can become the owner instead of ${owner}, by \`contract accept-ownership\``,
    isAnnouncement: true,
  })),
  'contract accept-ownership': act(deps, (_input, { owner, nextOwner }) => {
    if (nextOwner === null) throw new OperatorError('nobody is named as the next owner')
    return {
      data: encode({ abi, functionName: 'acceptOwnership' }),
      effect: `${nextOwner.account} is the owner, and ${owner} is not any more`,
      sender: nextOwner.account,
    }
  }),
  'contract take-back': act(deps, ({ what }, control) => takeBack(what, control)),
})

const NOTHING = 'nothing of that is announced: see `contract show`'

function ends(ended: string | null): string {
  if (ended === null) throw new OperatorError(NOTHING)
  return `${ended} ends`
}

function takeBack(what: string, control: GatewayControl): Act {
  const [kind = '', of = ''] = what.split(':')
  if (kind === 'guardian')
    return {
      data: encode({ abi, functionName: 'setGuardian', args: [zeroAddress] }),
      effect: ends(control.guardian && `${control.guardian} as the guardian`),
    }
  if (kind === 'owner') {
    const { nextOwner } = control
    return {
      data: encode({ abi, functionName: 'transferOwnership', args: [zeroAddress] }),
      effect: ends(nextOwner && `${nextOwner.account} as the next owner`),
    }
  }
  if (of === 'payer' || of === 'attester') {
    const standby = control.standbys[of]
    return {
      data: encode({ abi, functionName: 'nameStandby', args: [ROLES[of], zeroAddress] }),
      effect: ends(standby && `${standby.account} as the standby of the ${of}`),
    }
  }
  const { asset, address, cap, raise, taking } = assetOf(of, control)
  if (kind === 'cap')
    return {
      data: encode({ abi, functionName: 'lowerCap', args: [address, cap] }),
      effect: ends(raise && `the raise of the cap to ${fromBaseUnits(raise.amount)} ${asset}`),
    }
  return {
    data: encode({ abi, functionName: 'announceTaking', args: [address, control.owner, 0n] }),
    effect: ends(taking && `the taking of ${fromBaseUnits(taking.amount)} ${asset}`),
  }
}

async function withControl<T>(
  { openChain }: Deps,
  use: (control: GatewayControl, chain: OperatorChain) => Promise<T>,
): Promise<T> {
  const chain = await openChain()
  try {
    return await use(await readGatewayControl(chain.client, chain.gateway, chain.assets()), chain)
  } catch (error) {
    if (error instanceof RpcError) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

/** Writes the transaction of an act, once the contract would take it. */
const act =
  <Given>(deps: Deps, prepare: (input: Given, control: GatewayControl) => Act): Work<Given> =>
  (_tx: Tx, input) =>
    withControl(deps, async (control, { client, gateway }): Promise<Output> => {
      const { data, effect, sender, orOwner = false, isAnnouncement = false } = prepare(input, control)
      const from = sender ?? control.owner
      const refused = await tryCall(client, { from, to: gateway, data })
      if (refused !== null) throw new OperatorError(wordsOf(refused))
      const decoded: { functionName: string; args?: readonly unknown[] } = decodeFunctionData({ abi, data })
      return {
        from: getAddress(from),
        ...(orOwner ? { orFrom: getAddress(control.owner) } : {}),
        to: getAddress(gateway),
        value: '0',
        chainId: client.chain.id,
        data,
        call: `${decoded.functionName}(${(decoded.args ?? []).map(String).join(', ')})`,
        effect,
        takesEffect: isAnnouncement
          ? `${control.notice_ms / 86_400_000} days after its block: ${new Date(control.at.getTime() + control.notice_ms).toISOString()} at the earliest`
          : 'at once, in its block',
        next: 'let this wallet sign and send it, compare every field there, then look at `contract show`',
      }
    })

const time = (seconds: unknown): string => new Date(Number(seconds) * 1_000).toISOString()

/** The contract's errors that an owner's act can end with, for whoever gives it. */
const words: Record<string, (args: readonly unknown[]) => string> = {
  TooEarly: ([from]) => `the contract takes this not before ${time(from)}`,
  TooLate: ([until]) => `this had to be done by ${time(until)}: announce it again`,
  NoStandby: () => 'the role has no standby',
  HasARole: ([account]) => `${String(account)} has another role, and each needs an account of its own`,
  AboveCap: ([, cap]) => `the cap is ${fromBaseUnits(BigInt(String(cap)))}: announce a higher one`,
  NothingAnnounced: () => NOTHING,
  SafeCastOverflowedUintDowncast: () => 'this is more than the contract can hold',
  EnforcedPause: () => 'the contract is paused already',
  ExpectedPause: () => 'the contract is not paused',
  InExit: () => 'the contract is in exit mode: nothing but claims moves money',
  NotAttestedSince: ([since]) => `a day has to be attested after ${time(since)}`,
  ExceedsSurplus: ([, , surplus]) => `no more than ${fromBaseUnits(BigInt(String(surplus)))} is surely not owed`,
  BadRecipient: ([to]) => `${String(to)} cannot get it`,
}

const wordsOf = ({ name, args }: { name: string; args: readonly unknown[] }): string =>
  words[name]?.(args) ?? `the contract refuses this (${name === '' ? 'without a reason' : name})`

/** The zero address means nobody, which has a command of its own. */
function someone(address: Hex): Hex {
  if (address === zeroAddress) throw new OperatorError('the zero address is nobody: `contract take-back` does that')
  return address
}

function assetOf(asset: string, { assets }: GatewayControl): AssetControl & { asset: AssetCode } {
  const found = isAssetCode(asset) ? assets.get(asset) : undefined
  if (!isAssetCode(asset) || found === undefined) throw new OperatorError(`there is no asset "${asset}"`)
  return { asset, ...found }
}
