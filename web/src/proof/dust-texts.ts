import { dustSteps } from '@candela/protocol/money/dust'
import { fromBaseUnits } from '@candela/protocol/money/money'

/** The step of each asset, as sentences say it. */
export const dustTexts = {
  usdt: fromBaseUnits(dustSteps.USDT),
  hash: fromBaseUnits(dustSteps.HASH),
  ju: fromBaseUnits(dustSteps.JU),
}
