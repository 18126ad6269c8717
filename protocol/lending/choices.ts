/** Choices that people have in lending. Apart from the endpoints, whose schemas the app does not load. */

/** Assets that secure loans. */
export const collateralAssets = ['JU', 'HASH'] as const
export type CollateralAsset = (typeof collateralAssets)[number]

/** Terms of an ordinary loan, in days. */
export const loanTerms = ['30', '90', '180', '360'] as const

/** Terms of a leveraged loan, in days. */
export const leverTermDays = ['7', '30', '90'] as const

/** The number of days whose prices of collateral are shown. */
export const priceDays = ['1', '7', '30'] as const
export type PriceDays = (typeof priceDays)[number]

/** Periods of the bills of the money fund. */
export const billPeriods = ['all', 'week', 'month', 'threeMonths', 'halfYear', 'year'] as const
