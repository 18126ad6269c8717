import { savedProof, type SavedProof } from '@candela/protocol/proof/owed-parts'
import type { ProofFile } from '@candela/protocol/proof/proof-file'

/** A saved proof, or one as the service answers it. Null for a file that is none. */
export function parseProof(text: string): SavedProof | null {
  try {
    const parsed = savedProof.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export const proofFileName = ({ day, leaf }: ProofFile): string =>
  `candela-proof-${day}-${leaf.member.slice(2, 8)}.json`

/** Hands the proof to the browser as a file. */
export function saveProof(proof: SavedProof): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(proof, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = proofFileName(proof)
  link.click()
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
