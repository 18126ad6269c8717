import { savedProof, type SavedProof } from '@candela/protocol/proof/owed-parts'
import { proofFileName } from '@candela/protocol/proof/proof-file'
import type { Kept } from '../ui/keep/keep-file.tsx'

/** A saved proof, or one as the service answers it. Null for a file that is none. */
export function parseProof(text: string): SavedProof | null {
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
