import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import { z } from 'zod'
import { OperatorError } from '../../kernel/errors.ts'
import { address, argument, command, reading, required, text } from './definition.ts'

const asset = argument('asset', 'JU, USDT or HASH')
const amount = argument('amount', 'such as 5000')
const account = argument('address')
const role = argument('role').choices(['payer', 'attester'])
/** In one spelling, by which `contract show` finds the command of an announcement. */
const amountInput = text.transform((typed) => {
  const parsed = parseAmount(typed)
  if (!parsed.ok) throw new OperatorError(`"${typed}" is not an amount`)
  return fromBaseUnits(parsed.amount)
})
const roleInput = z.enum(['payer', 'attester'])
const announcements = [
  'standby:payer',
  'standby:attester',
  'guardian',
  'owner',
  ...['JU', 'USDT', 'HASH'].flatMap((code) => [`cap:${code}`, `taking:${code}`]),
]

/** Commands that take power away, at once, need one operator. */
const takesAway = { role: 'treasurer', signers: 1 } as const
/** Commands that give somebody power, or money, need two. */
const gives = { role: 'treasurer', signers: 2 } as const

/**
 * The commands for what the owner of the contract does. Its key is in no server: each command tries the call and writes the
 * transaction, which the owner's own wallet signs and sends.
 */
export const contractCommands = {
  'contract show': reading(
    'who may do what with the contract, its caps, what its owner has announced, and by which command',
    { isDefault: true },
  ),
  'contract pause': command({
    ...takesAway,
    effect: 'the transaction that stops payments out, at once; the owner sends it or the guardian',
    input: z.strictObject({}),
  }),
  'contract unpause': command({
    ...gives,
    effect: 'the transaction that lets payments out go on, at once',
    input: z.strictObject({}),
  }),
  'contract switch': command({
    ...takesAway,
    effect: 'the transaction that gives a role to its standby, at once; the account of before has lost it',
    arguments: [role],
    input: z.strictObject({ role: roleInput }),
  }),
  'contract remove-payer': command({
    ...takesAway,
    effect: 'the transaction that leaves the contract without a payer, at once',
    input: z.strictObject({}),
  }),
  'contract standby': command({
    ...gives,
    effect: 'the transaction that names the account to which a role can be switched, after 7 days',
    arguments: [role, account],
    input: z.strictObject({ role: roleInput, address }),
  }),
  'contract guardian': command({
    ...gives,
    effect: 'the transaction that names another guardian, who can only pause, at once',
    arguments: [account],
    input: z.strictObject({ address }),
  }),
  'contract lower-cap': command({
    ...takesAway,
    effect: 'the transaction that lowers what is paid out of an asset, at once; an announced raise ends',
    arguments: [asset, amount],
    input: z.strictObject({ asset: text, amount: amountInput }),
  }),
  'contract announce-cap': command({
    ...gives,
    effect: 'the transaction that announces a higher cap of an asset; `raise-cap` follows after 7 days, within 30',
    arguments: [asset, amount],
    input: z.strictObject({ asset: text, amount: amountInput }),
  }),
  'contract raise-cap': command({
    ...gives,
    effect: 'the transaction that sets the cap that was announced',
    arguments: [asset],
    input: z.strictObject({ asset: text }),
  }),
  'contract announce-taking': command({
    ...gives,
    effect: 'the transaction that announces that the owner takes surplus; `take` follows after 7 days, within 30',
    arguments: [asset, amount],
    options: [required('--to <address>', 'who gets it')],
    input: z.strictObject({ asset: text, amount: amountInput, to: address }),
  }),
  'contract take': command({
    ...gives,
    effect: 'the transaction that takes what was announced, when a day was attested after the notice',
    arguments: [asset],
    input: z.strictObject({ asset: text }),
  }),
  'contract announce-owner': command({
    ...gives,
    effect: 'the transaction that names the next owner, who accepts after 7 days, within 30',
    arguments: [account],
    input: z.strictObject({ address }),
  }),
  'contract accept-ownership': command({
    ...gives,
    effect: 'the transaction by which the named account becomes the owner; that account sends it',
    input: z.strictObject({}),
  }),
  'contract take-back': command({
    ...takesAway,
    effect: 'the transaction that ends what the owner has announced, or the guardian, at once',
    arguments: [argument('what').choices(announcements)],
    input: z.strictObject({ what: text }),
  }),
}
