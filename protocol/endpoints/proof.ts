import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressData, amountData, dayData, dayField, hashData, timeData } from '../fields.ts'
import { owedParts } from '../proof/owed-parts.ts'
import { proofFile } from '../proof/proof-file.ts'
import { treePart } from '../proof/tree-file.ts'

/** Counted from 0. */
const partField = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,7})$/, 'notACount')
  .transform(Number)

export const proofEndpoints = {
  'GET solvency/latest': endpoint({
    summary: 'The last attestation of what is owed to all members, with what the contract held at its block.',
    auth: 'public',
    input: z.object({}),
    data: z.object({
      /** Null before the first attestation. */
      attestation: z
        .object({
          day: dayData,
          gateway: addressData,
          /** Payments up to this block are in it. */
          block: z.int().nonnegative(),
          ledgerSequence: z.string().regex(/^[0-9]+$/),
          root: hashData,
          /** Padding included. */
          leaves: z.int().positive(),
          attestedAt: timeData,
          txHash: hashData,
          assets: z.array(
            z.object({
              asset: z.enum(['USDT', 'HASH', 'JU']),
              owed: amountData,
              held: amountData,
              /** Held ÷ owed as a fraction, rounded down; null where nothing is owed. */
              ratio: amountData.nullable(),
            }),
          ),
        })
        .nullable(),
    }),
    errors: [],
  }),
  'GET solvency/proof': endpoint({
    summary: 'The caller’s leaf in the tree of an attested day, by default the last, with its salt and path.',
    auth: 'session',
    input: z.object({ day: dayField.optional() }),
    data: proofFile,
    errors: ['notFound'],
  }),
  'GET solvency/platform': endpoint({
    summary:
      'The leaf of the platform in the tree of an attested day, by default the last: what is owed to members of whom each is owed less than the step of every asset, together.',
    auth: 'public',
    input: z.object({ day: dayField.optional() }),
    data: z.object({
      /** How many members it has something of. */
      members: z.int().nonnegative(),
      /** Its member is the contract, which nobody can claim for. */
      proof: proofFile,
    }),
    errors: ['notFound'],
  }),
  'GET solvency/owed': endpoint({
    summary:
      'What the caller’s leaf of an attested day, by default the last, was computed from: balances at the ledger’s sequence, fund shares, loans, prices.',
    auth: 'session',
    input: z.object({ day: dayField.optional() }),
    data: owedParts,
    errors: ['notFound'],
  }),
  'GET solvency/tree': endpoint({
    summary:
      'A part of the leaves of an attested day, in order: hashes and sums in base units, without names or salts.',
    auth: 'public',
    input: z.object({ day: dayField, part: partField }),
    data: treePart,
    errors: ['notFound'],
  }),
}
