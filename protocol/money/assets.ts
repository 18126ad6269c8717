/** The three assets of the product. All of them have 18 decimals on chain, in the ledger and in every computation. */
export const assetCodes = ['JU', 'USDT', 'HASH'] as const

export type AssetCode = (typeof assetCodes)[number]

export const isAssetCode = (text: string): text is AssetCode => assetCodes.some((code) => code === text)
