import { endpoints, type Key } from '@candela/protocol/endpoints'

/** A call that moves or promises money has a request id; one that only speaks of such an id does not move any. */
export const isMoneyCommand = (key: Key): boolean =>
  'requestId' in endpoints[key].input.shape && !key.startsWith('POST command/') && !key.startsWith('GET command/')
