/** First 6 and last 4 characters: enough to recognise an address that one knows, too little to find it on chain. */
export const maskAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
