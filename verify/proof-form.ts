import { z } from 'zod'
import { partsForm } from './owed.ts'
import { hashForm, nodeForm, sumsForm } from './tree-parts.ts'

const fields = z.object({
  format: z.literal('candela.proof'),
  chainId: z.number(),
  gateway: z.string(),
  day: z.string(),
  block: z.number(),
  ledgerSequence: z.string(),
  root: nodeForm,
  leaf: z.object({ member: z.string(), position: z.number(), owed: sumsForm, salt: hashForm }),
  path: z.array(nodeForm),
  /** The parts that the leaf was computed from: the answer of `solvency/owed`. */
  parts: partsForm.optional(),
})
const withSecret = fields.extend({ version: z.literal(2), secret: hashForm })

/** A member's proof as the app saves it. Version 1 is of before members had a secret. */
export const proofForm = z.discriminatedUnion('version', [fields.extend({ version: z.literal(1) }), withSecret])

export type Proof = z.infer<typeof proofForm>
export type SecretProof = z.infer<typeof withSecret>
