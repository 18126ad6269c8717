import { Argument, Option } from 'commander'
import { isAddress } from 'viem'
import { z } from 'zod'
import { OperatorError } from '../../kernel/errors.ts'

/** The work that a command belongs to; `admin` has what changes who may do what. */
export type Role = 'viewer' | 'support' | 'treasurer' | 'risk' | 'admin'

type Signers = 'local' | 0 | 1 | 2 | 'decided'

/** All that is known of a command besides its work. Parser, signing, `audit verify`, help and documents read it. */
export type CommandDefinition<Input extends z.ZodType = z.ZodType> = {
  /** The effect, in a line. */
  effect: string
  role: Role
  /**
   * `local`: it acts on the operator's own machine and is not written down. 0: it only reads. 1: it is done at once. 2: it is done when
   * another operator has signed it too. `decided`: 1 or 2, by what is in the database.
   */
  signers: Signers
  arguments: readonly Argument[]
  options: readonly Option[]
  /** The input that is written down, and signed: everything that decides what is done. */
  input: Input
  /** The typed input, where that is not what is signed. */
  typed?: z.ZodType
  /** Whether `--dry-run` can try it: false of what acts outside of one transaction. */
  dryRun: boolean
  /** It is what its group does without another word. */
  isDefault: boolean
  /** False of what another command writes down about its end. */
  isTyped: boolean
}

type Given<Input extends z.ZodType, By extends Signers> = {
  effect: string
  role: Role
  signers: By
  input: Input
} & Partial<Omit<CommandDefinition, 'effect' | 'role' | 'signers' | 'input'>>

/** A command with what it does not say of itself. */
export const command = <Input extends z.ZodType, const By extends Signers>(
  given: Given<Input, By>,
): CommandDefinition<Input> & { signers: By } => ({
  arguments: [],
  options: [],
  dryRun: true,
  isDefault: false,
  isTyped: true,
  ...given,
})

/** A command that only reads, without input of its own. */
export const reading = (effect: string, change: Partial<Pick<CommandDefinition, 'isDefault'>> = {}) =>
  command({ effect, role: 'viewer', signers: 0, input: z.strictObject({}), ...change })

export const argument = (name: string, about?: string): Argument => new Argument(`<${name}>`, about)
export const required = (flags: string, about: string): Option => new Option(flags, about).makeOptionMandatory()
export const optional = (flags: string, about: string): Option => new Option(flags, about)
export const note = (about: string): Option => required('--note <text>', about)

export const text = z.string()

/** The address of an account or a contract, in lower case. Mixed letters are a checksum (EIP-55), which has to be right. */
export const address = text.transform((typed) => {
  if (!isAddress(typed, { strict: false })) throw new OperatorError(`"${typed}" is not an address`)
  const known: string = typed
  if (!isAddress(known)) throw new OperatorError(`"${typed}" is mistyped: its checksum is wrong`)
  return known.toLowerCase() as `0x${string}`
})

/** One, or several of a command that was given for many; one alone is written down as a text. */
export const texts = z
  .union([text, z.array(text).min(1)])
  .transform((given) => (typeof given !== 'string' && given.length === 1 ? (given[0] ?? '') : given))
