/** How often each fault happens to a request: probabilities from 0 (never) to 1. */
export type FaultProfile = {
  /** The request does not reach the node. */
  requestFails: number
  /** The node processes the request, and its response is lost. */
  responseLost: number
  /** The node that answers is some blocks behind. */
  staleNode: number
  /** The node that answers is on another branch. */
  forkedNode: number
  /** The node that answers announces a head that no node has. */
  phantomHead: number
  /** The node that answers returns no logs for blocks that have some, alone or in a range. */
  missingLogs: number
  /** The node that answers follows another chain, with the same contracts at the same addresses. */
  otherChain: number
  /** The node that answers leaves out, doubles, exchanges, shortens or replaces the answer to one of the calls. */
  lie: number
  /** Another step of the workload runs between the request and its response. */
  interleaving: number
}

export const noFaults: FaultProfile = {
  requestFails: 0,
  responseLost: 0,
  staleNode: 0,
  forkedNode: 0,
  phantomHead: 0,
  missingLogs: 0,
  otherChain: 0,
  lie: 0,
  interleaving: 0,
}

const wrongAnswers = (probability: number) => ({
  staleNode: 2 * probability,
  forkedNode: 4 * probability,
  phantomHead: probability,
  missingLogs: 2 * probability,
  otherChain: probability,
  lie: 2 * probability,
})

export const faultProfiles = {
  none: { ...noFaults, interleaving: 0.08 },
  moderate: { requestFails: 0.05, responseLost: 0.05, ...wrongAnswers(0.05), interleaving: 0.08 },
  severe: { requestFails: 0.15, responseLost: 0.15, ...wrongAnswers(0.15), interleaving: 0.08 },
  /** Most nodes announce heads that do not exist, so the follower reduces its block range. */
  phantomHeads: { ...noFaults, requestFails: 0.05, phantomHead: 0.7, interleaving: 0.08 },
} as const satisfies Record<string, FaultProfile>

/** How often each profile is chosen. */
export const profileWeights: Record<keyof typeof faultProfiles, number> = {
  none: 3,
  moderate: 4,
  severe: 1,
  phantomHeads: 1,
}
