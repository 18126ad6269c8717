/** Lines on a page of a list when the caller does not say how many. */
export const DEFAULT_PAGE_LIMIT = 20

/** The text of a limit as it is sent: a whole number from 1 to the maximum, 100. */
export const PAGE_LIMIT = /^([1-9][0-9]?|100)$/
