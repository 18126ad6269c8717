import { z } from 'zod'
import { argument, command, optional, reading, required, text } from './definition.ts'

const day = optional('--day <YYYY-MM-DD>', 'a UTC day that is over; yesterday when left out')

/** These commands read from the chain, send to it, and close a day. */
export const chainCommands = {
  'chain trouble': reading('payments that could not be settled, and credited ones that left the chain'),
  'chain check': command({
    effect: 'ask each node for each thing that the service needs of it; nothing is written down',
    role: 'viewer',
    signers: 'local',
    options: [optional('--rpc <url>', 'another node than those of RPC_URL')],
    input: z.strictObject({ rpc: text.optional() }),
  }),
  'chain disputes': reading('decisions about money on which the nodes contradict each other'),
  'chain rule': command({
    effect: 'let one node decide what the nodes contradict each other about',
    role: 'treasurer',
    signers: 2,
    arguments: [argument('decision', 'as `chain disputes` shows it')],
    options: [required('--node <host>', 'the node that is right')],
    input: z.strictObject({ decision: text, node: text }),
  }),
  'chain resume': command({
    effect: 'let crediting go on after a deep reorganisation stopped it',
    role: 'treasurer',
    signers: 1,
    input: z.strictObject({}),
  }),
  'chain rescan': command({
    effect: 'ask the node again for payments of final blocks, and record those that were missed; others stay',
    role: 'treasurer',
    signers: 1,
    options: [required('--from <block>', 'the first block'), required('--to <block>', 'the last block')],
    input: z.strictObject({ from: text, to: text }),
  }),
  attest: command({
    effect: 'have the service attest today what is owed to members, without waiting for the time',
    role: 'treasurer',
    signers: 1,
    input: z.strictObject({}),
  }),
  'revenue post': command({
    effect: 'approve and deposit a day’s revenue from the operator’s own account (OPERATOR_KEY_FILE)',
    role: 'treasurer',
    signers: 1,
    options: [
      required('--day <YYYY-MM-DD>', 'the UTC day that earned it'),
      required('--amount <hash>', 'HASH, such as 1250.5'),
      optional('--again', 'though a deposit for this day is known already'),
    ],
    input: z.strictObject({ day: text, amount: text, from: text, again: z.boolean().optional() }),
    typed: z.strictObject({ day: text, amount: text, again: z.boolean().optional() }),
    dryRun: false,
  }),
  'revenue posted': command({
    effect: 'what became of a deposit of revenue; written down by `revenue post`',
    role: 'treasurer',
    signers: 1,
    input: z.record(text, z.unknown()),
    dryRun: false,
    isTyped: false,
  }),
  'revenue list': command({
    effect: 'deposits of revenue, newest first, with the day that each counted for',
    role: 'viewer',
    signers: 0,
    options: [
      optional('--payer <address>', 'only those from this account: anybody may send a gift'),
      optional('--before <id>', 'only those older than the deposit with this id, to read on'),
    ],
    input: z.strictObject({ payer: text.optional(), before: text.optional() }),
  }),
  close: command({
    effect: 'charge the loans and share the revenue of every day up to this one that is not closed; again does nothing',
    role: 'treasurer',
    signers: 1,
    options: [day],
    input: z.strictObject({ day: text.optional() }),
    dryRun: false,
  }),
}
