import { requestIdNamed } from '@candela/testing/server/request-id-named'
import type { Simulation } from '../run/simulation.ts'

/** As a client makes it; the same in every run of a seed. */
export function nextRequestId(simulation: Simulation): string {
  simulation.requests += 1
  return requestIdNamed(`request-${simulation.requests}`, simulation.clock.now())
}
