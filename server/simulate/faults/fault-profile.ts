/** How often what goes wrong, from 0 (never) to 1. */
export type Weather = {
  /** Requests that fail on their way there. */
  failing: number
  /** Requests that the node carries out, whose answer is lost. */
  lost: number
  /** Requests that a node answers which is behind, on another branch, announces what it does not have, or is without its logs. */
  stale: number
  forked: number
  boasting: number
  logless: number
  /** Requests during which something else happens before the answer is there. */
  meanwhile: number
}

export const calm: Weather = { failing: 0, lost: 0, stale: 0, forked: 0, boasting: 0, logless: 0, meanwhile: 0 }

const lies = (share: number) => ({ stale: 2 * share, forked: 4 * share, boasting: share, logless: 2 * share })

export const weathers = {
  fair: { ...calm, meanwhile: 0.08 },
  bad: { failing: 0.05, lost: 0.05, ...lies(0.05), meanwhile: 0.08 },
  awful: { failing: 0.15, lost: 0.15, ...lies(0.15), meanwhile: 0.08 },
  /** Most nodes announce what is not there: the follower's steps become small. */
  boastful: { ...calm, failing: 0.05, boasting: 0.7, meanwhile: 0.08 },
} as const satisfies Record<string, Weather>

/** Each as often as it comes. */
export const forecast = [
  ...(['fair', 'fair', 'fair'] as const),
  ...(['bad', 'bad', 'bad', 'bad'] as const),
  'awful',
  'boastful',
] as const
