import { codes } from '@candela/protocol/codes/codes'
import { isAppError } from '@candela/server/kernel/errors'
import { attempt, type Simulation } from '../run/simulation.ts'

/** Every member saves its proof of the last attested day, as soon as the service gives it. */
export async function saveProofs(simulation: Simulation): Promise<void> {
  const { db, memberIds, processes, busy, proofs, trace } = simulation
  const last = await db
    .selectFrom('attestation')
    .select('day')
    .where('state', '=', 'attested')
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  for (const [address, memberId] of memberIds) {
    if (proofs.some(({ day, leaf }) => day === last.day && leaf.member === address)) continue
    const process = processes.find((one) => !busy.has(one))
    if (process === undefined) return
    const read = () =>
      process.handlers['GET solvency/proof']({}, process.contextOf(memberId)).catch((error: unknown) => {
        // A member who is owed less than the step of every asset has no leaf.
        if (isAppError(error) && error.code === codes.notFound) return null
        throw error
      })
    const proof = await attempt(simulation, process, read)
    if (proof === undefined || proof === null) continue
    trace('saved', address, proof.day, proof.root.hash)
    proofs.push(proof)
  }
}
