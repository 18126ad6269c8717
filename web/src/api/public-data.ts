import type { Data } from '@candela/protocol/endpoints'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import { call } from './call.ts'
import { queryClient } from './use-read.ts'

/** For what is no component: the public figures, network and contracts, from the cache while that is fresh. */
export const readPublicData = (): Promise<Data<'GET home/public'>> =>
  queryClient.fetchQuery({
    queryKey: ['GET home/public', {}],
    // The screens read the same and show in place that no answer came.
    queryFn: () => call('GET home/public', {}, { transportInPlace: true }),
    staleTime: 60_000,
  })

/** The network that wallets must be on, as the server announces it. */
export const requiredNetwork = async (): Promise<NetworkConfig> => (await readPublicData()).network
