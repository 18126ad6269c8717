/** First 6 and last 4 characters: enough to recognise a friend, too little to look them up on chain. */
export const maskAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
