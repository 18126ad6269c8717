/**
 * Time limits of the journeys in milliseconds. Every wait is for a fact (a state on the screen, a row, a block), so a limit
 * is reached only when the fact never comes. They are generous, because a slow or busy machine is no failure.
 */

/** One fact: what Playwright and `expect.poll` wait for. */
export const FACT_MS = 180_000
/** One journey, from an empty browser to its end. */
export const JOURNEY_MS = 900_000
/** The start of a product with its build, chain and contracts. */
export const START_MS = 600_000
