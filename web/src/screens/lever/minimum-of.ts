import { minReceivedFor } from '@candela/protocol/money/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'

/** The least that a person agrees to, of what was shown: prices may move that far and no further before it is done. */
export const minimumOf = (shown: string): string => fromBaseUnits(minReceivedFor(toBaseUnits(shown)))
