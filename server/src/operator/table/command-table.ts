import type { z } from 'zod'
import { chainCommands } from './chain.ts'
import { contractCommands } from './contract.ts'
import type { CommandDefinition } from './definition.ts'
import { moneyCommands } from './money.ts'
import { peopleCommands } from './people.ts'
import { productCommands } from './products.ts'

/** Every command of the operator. What is not here can neither be typed nor signed, and `audit verify` names it. */
export const commandTable = {
  ...peopleCommands,
  ...productCommands,
  ...moneyCommands,
  ...contractCommands,
  ...chainCommands,
}

export type CommandName = keyof typeof commandTable
export type InputOf<Name extends CommandName> = z.output<(typeof commandTable)[Name]['input']>
/** The typed input, where it is not what is signed. */
type Typed = { 'revenue post': { day: string; amount: string; again?: boolean } }
export type TypedOf<Name extends CommandName> = Name extends keyof Typed ? Typed[Name] : InputOf<Name>
/** Commands of which it depends on the database whether two have to sign them. */
export type DecidedName = {
  [Name in CommandName]: 'decided' extends (typeof commandTable)[Name]['signers'] ? Name : never
}[CommandName]

/** The subject of the first word of several commands. */
export const commandGroups: Readonly<Record<string, string>> = {
  operator: 'who may give commands that change something',
  proposal: 'what one operator has signed and another one has to sign too',
  audit: 'what operators have done',
  session: 'who is signed in',
  invitation: 'codes that bring in members: root codes, and the members’ own',
  plan: 'plans of computing power',
  project: 'loan products',
  setting: 'what can be set while the service runs',
  price: 'prices of the pairs on chain, and whether they are in use',
  withdrawal: 'money on its way out',
  payer: 'accounts that sign payouts',
  payout: 'what the contract has paid',
  reconcile: 'the books compared with the chain, each minute',
  surplus: 'money that no event tells of, booked by `reconcile book`',
  deposit: 'money that members have paid in',
  suspense: 'money whose owner nobody knows',
  fund: 'the money fund, its reserve and its deficits',
  loan: 'loans of all members',
  ledger: 'the journal of all money, checked against its own rules each hour',
  contract: 'what the owner of the contract does: a command writes the transaction, which the owner’s wallet signs',
  chain: 'what the service reads from the chain',
  revenue: 'the output of a day, deposited on chain for its members',
}

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commandTable, name)
export const definitionOf = (name: CommandName): CommandDefinition => commandTable[name]
export const commandNames = Object.keys(commandTable) as CommandName[]
