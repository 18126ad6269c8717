import { endpoints, type Key } from '@candela/protocol/endpoints'

/** What moves or promises money has a request id; what only speaks of such an id does not move any. */
export const isMoneyCommand = (key: Key): boolean =>
  'requestId' in endpoints[key].input.shape && !key.startsWith('POST command/') && !key.startsWith('GET command/')
