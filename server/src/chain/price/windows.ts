import { DAY_MS } from '@candela/protocol/units'

/** Averages cover this long, or what there is since the first observation. In seconds. */
export const WINDOW_S = 30n * 60n
export const SHORT_WINDOW_S = 5n * 60n
export const DAY_S = BigInt(DAY_MS) / 1_000n
/** A last observation that is older, by its block's own time, pauses the price. In seconds. */
export const STALE_AFTER_S = 5 * 60
