// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import '../lib/plain-schemas.ts'
import { savedProof, type SavedProof } from '@candela/protocol/proof/owed-parts'
import { proofFileName } from '@candela/protocol/proof/proof-file'
import { readText } from '../lib/read-text.ts'
import type { Kept } from '../ui/keep/keep-file.tsx'

/** More than any proof has, in bytes. */
const MAX_PROOF_BYTES = 256 * 1024

/** Null for a file that is too large to be a proof; it is not read. */
export const readProofFile = async (file: File): Promise<string | null> =>
  file.size > MAX_PROOF_BYTES ? null : await readText(file)

/** A saved proof, or one as the service answers it. Null for a file that is none. */
export function parseProof(text: string): SavedProof | null {
  if (text.length > MAX_PROOF_BYTES) return null
  try {
    const parsed = savedProof.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** As the file that people keep. */
export const proofAsFile = (proof: SavedProof): Kept => ({
  name: proofFileName(proof),
  mime: 'application/json',
  content: JSON.stringify(proof, null, 2),
})
