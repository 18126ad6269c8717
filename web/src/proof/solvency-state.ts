import { toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'

/** covered: all that is owed is held. short: less of an asset is held than owed. old: too long ago to tell. */
export type SolvencyState = 'covered' | 'short' | 'old'

type Compared = { ageSeconds: number; maxAgeSeconds: number; lowest: { ratio: string } | null }

/** A comparison that is too old is not called covered or short: neither is known. */
export function solvencyState({ ageSeconds, maxAgeSeconds, lowest }: Compared): SolvencyState {
  if (ageSeconds > maxAgeSeconds) return 'old'
  return lowest === null || toBaseUnits(lowest.ratio) >= WHOLE_UNIT ? 'covered' : 'short'
}
