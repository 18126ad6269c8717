import type { NetworkConfig } from '@candela/protocol/network'
import { readOnce } from './use-read.ts'

/** The network that wallets must be on, as the server announces it. */
export const requiredNetwork = async (): Promise<NetworkConfig> => (await readOnce('GET home/public', {})).network
