import { withdrawalStates } from '@candela/protocol/endpoints/withdraw'
import { z } from 'zod'
import { OperatorError } from '../../kernel/errors.ts'
import { address, argument, command, note, optional, reading, required, text, texts } from './definition.ts'

const asset = argument('asset', 'JU, USDT or HASH')
const target = required('--to <target>', 'member:<uid>, or desk: stock that the exchange sells')

/** @returns a field that takes what matches, and says of anything else that it is not `what` */
const matching = (pattern: RegExp, what: string) =>
  text.transform((typed) => {
    if (pattern.test(typed)) return typed
    throw new OperatorError(`"${typed}" is not ${what}`)
  })
const txHash = matching(/^0x[0-9a-f]{64}$/, 'the hash of a transaction')

/** Money on its way out, in suspense, in surplus, in the fund, and the books. */
export const moneyCommands = {
  'withdrawal list': command({
    effect: 'withdrawals, newest first',
    role: 'viewer',
    signers: 0,
    options: [
      optional('--state <state>', `one of ${withdrawalStates.join(', ')}`),
      optional('--before <id>', 'older than this one'),
    ],
    input: z.strictObject({ state: text.optional(), before: text.optional() }),
  }),
  'withdrawal approve': command({
    effect: 'let withdrawals that wait for review be paid; when one of them is large, two sign',
    role: 'treasurer',
    signers: 'decided',
    arguments: [argument('number...')],
    input: z.strictObject({ number: texts }),
  }),
  'withdrawal cap': reading(
    'who has used the contract’s cap in the last 24 hours: the ten members with most, by asset',
  ),
  'withdrawal give-up': command({
    effect: 'let an empty transaction use the nonce of a payout that the chain does not take; then the money goes back',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('number')],
    input: z.strictObject({ number: text }),
  }),
  'withdrawal reject': command({
    effect: 'refuse a withdrawal that is not signed yet; the money goes back',
    role: 'treasurer',
    signers: 1,
    arguments: [argument('number')],
    options: [note('why, in words that its owner reads')],
    input: z.strictObject({ number: text, note: text }),
  }),
  'withdrawal restore': command({
    effect: 'make the lost withdrawal anew that a payment out belongs to: takes what was paid from its member',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('event', 'as `chain trouble` shows it')],
    input: z.strictObject({ event: text }),
  }),
  'withdrawal end': command({
    effect: 'end a signed withdrawal whose nonce something else has used; the money goes back',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('number')],
    options: [required('--used-by <hash>', 'the transaction that used the nonce, as an explorer shows it')],
    input: z.strictObject({ number: text, usedBy: txHash }),
  }),
  'payout explain': command({
    effect: 'take a payout that is not ours into the books as the platform’s loss; nothing waits for it any more',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('event', 'as `chain trouble` shows it')],
    options: [
      note('what explains it'),
      optional('--booked', 'the loss is booked already, by `reconcile book`: only nothing waits for it any more'),
    ],
    input: z.strictObject({ event: text, note: text, booked: z.boolean().optional() }),
  }),
  'payer end-lost': command({
    effect: 'end what a payer whose key is lost has signed and nobody paid; the contract has another payer by now',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('payer', 'the address of the payer whose key is lost')],
    input: z.strictObject({ payer: address }),
  }),
  'reconcile show': reading('the last comparison of books and chain at one block, per asset', { isDefault: true }),
  'reconcile book': command({
    effect: 'take a difference that is explained into the books, as the last comparison shows it',
    role: 'treasurer',
    signers: 2,
    arguments: [
      asset,
      argument(
        'difference',
        'found minus expected, such as 0.5, or -0.5 after a double dash; 0 when a tolerated surplus is gone',
      ),
    ],
    options: [note('what explains it')],
    input: z.strictObject({ asset: text, difference: text, note: text }),
  }),
  'surplus list': reading('what was booked as surplus, and what of it nobody was given yet'),
  'surplus assign': command({
    effect: 'give booked surplus to whom it belongs; again with the same words does nothing',
    role: 'treasurer',
    signers: 2,
    arguments: [asset, argument('amount', 'such as 0.5')],
    options: [target, required('--tx <hash>', 'the transaction that brought it'), note('what shows that it is theirs')],
    input: z.strictObject({ asset: text, amount: text, to: text, tx: text, note: text }),
  }),
  'suspense list': command({
    effect: 'money whose owner nobody knows: what is worth most first, a page at a time',
    role: 'viewer',
    signers: 0,
    options: [optional('--skip <n>', 'how many to pass over')],
    input: z.strictObject({ skip: text.optional() }),
  }),
  'suspense assign': command({
    effect: 'give payments in suspense, or sums of dust, to whom they belong, each whole and once',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('id...', 'their ids in the list')],
    options: [target],
    input: z.strictObject({ id: texts, to: text }),
  }),
  'deposit take-back': command({
    effect: 'take a credited payment out of the books that has left the chain for good, and say who bears it',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('event', 'as `chain trouble` shows it')],
    options: [
      optional('--member <amount>', 'what is taken from its member').default('0'),
      optional('--platform <amount>', 'what the platform bears').default('0'),
      note('why'),
    ],
    input: z.strictObject({ event: text, member: text, platform: text, note: text }),
  }),
  'fund show': reading('what the money fund has, what of it is lent, and what its reserve has', { isDefault: true }),
  'fund deficits': reading('debts that neither collateral nor reserve paid, newest first'),
  'fund add-capital': command({
    effect: 'put the operator’s own money into the reserve, which pays deficits first',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('amount', 'USDT of what the operator has earned or put in')],
    options: [note('why, and a name of its own: the same words are done once')],
    input: z.strictObject({ amount: text, note: text }),
  }),
  'loan risk': reading('the 50 open loans that are nearest to their clearing line, nearest first', { isDefault: true }),
  'loan audit': reading('compare every loan, the fund and its reserve with the ledger'),
  'ledger show': reading('what the hourly audit found and nobody has mended or accepted', { isDefault: true }),
  'ledger accept': command({
    effect: 'let a finding that is explained, and that the journal keeps for ever, not pause withdrawals any more',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('id', 'its id as shown')],
    options: [note('what explains it')],
    input: z.strictObject({ id: text, note: text }),
  }),
}
