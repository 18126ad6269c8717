import { z } from 'zod'
import { readPublicKey } from '../signing/operator-key.ts'
import { readOperatorName } from '../signing/operators.ts'
import { argument, command, optional, reading, required, text } from './definition.ts'

const name = text.transform((typed) => readOperatorName(typed))
const file = z.strictObject({ file: text })

/** The commands about who gives commands, what they have signed, and who is signed in. */
export const peopleCommands = {
  'operator add': command({
    effect: 'register an operator; the first one signs with the new key, the third and later ones need two',
    role: 'admin',
    signers: 'decided',
    arguments: [argument('name', '2 to 32 of the letters a to z and digits')],
    options: [required('--key <public key>', 'ed25519:<64 hexadecimal digits>, or the address of a wallet')],
    input: z.strictObject({ name, key: text.transform((typed) => readPublicKey(typed)) }),
  }),
  'operator remove': command({
    effect: 'end an operator for good; the removed one may be one of the two',
    role: 'admin',
    signers: 2,
    arguments: [argument('name')],
    input: z.strictObject({ name }),
  }),
  'operator list': reading('all operators with their public keys, also those who were removed'),
  'operator new-key': command({
    effect: 'write a new private key to a file that only you may read, and show the public key',
    role: 'viewer',
    signers: 'local',
    arguments: [argument('file')],
    input: file,
    dryRun: false,
  }),
  'operator show-key': command({
    effect: 'show the public key of a private key',
    role: 'viewer',
    signers: 'local',
    arguments: [argument('file')],
    input: file,
  }),
  'proposal list': reading('what one operator has signed and another one has to sign'),
  'proposal sign': command({
    effect: 'sign what another operator has proposed, which is shown whole; --dry-run before it only shows it',
    role: 'viewer',
    signers: 'local',
    arguments: [argument('id')],
    input: z.strictObject({ id: text }),
  }),
  'proposal end': command({
    effect: 'end a proposal that is not to be done; each operator may',
    role: 'viewer',
    signers: 1,
    arguments: [argument('id')],
    input: z.strictObject({ id: text }),
  }),
  'audit verify': reading(
    'check every signature again, that none is missing, and that two signed what two have to sign, in time',
  ),
  'session end': command({
    effect: 'sign out every device of a member, or of everybody, at once',
    role: 'support',
    signers: 1,
    options: [required('--of <whom>', 'member:<uid>, or everybody')],
    input: z.strictObject({ of: text }),
  }),
  'invitation create': command({
    effect: 'make a root code, which brings in members without an inviter',
    role: 'support',
    signers: 1,
    arguments: [argument('code', '4 to 16 capital letters and digits')],
    options: [optional('--note <text>', 'what it is for').default('')],
    input: z.strictObject({ code: text, note: text }),
  }),
  'invitation close': command({
    effect: 'close a root code, or the own code of a member, for further members',
    role: 'support',
    signers: 1,
    arguments: [argument('code')],
    input: z.strictObject({ code: text }),
  }),
  'invitation list': command({
    effect: 'all root codes, or the codes of members by which most accounts of the last day came',
    role: 'viewer',
    signers: 0,
    options: [optional('--crowded', 'the codes of members by which most accounts of the last day came')],
    input: z.strictObject({ crowded: z.boolean().optional() }),
  }),
}
