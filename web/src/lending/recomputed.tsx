import { toBaseUnits } from '@candela/protocol/money/money'
import type { ReactNode } from 'react'
import type { Translate } from '../i18n/translate.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { ExactAmount } from '../ui/amount/exact-amount.tsx'
import type { Explanation } from '../ui/overlay/explain-store.ts'
import { Icon } from '../ui/picture/icon.tsx'
import './recomputed.css'

type Input = NonNullable<Explanation['inputs']>[number]

/** The last line of an explanation: what this device computes from the lines above it, and whether it is the same. */
export const recomputedInput = (t: Translate, here: bigint, shown: string, unit = 'USDT'): Input => ({
  label: here === toBaseUnits(shown) ? t('loans.recomputed') : t('loans.recomputedOther'),
  value: <ExactAmount value={here} unit={unit} />,
})

/** Said first on a card that computes everything again: an alert where it differs from the books, with what differs. */
export function Verdict({ agrees, children }: { agrees: boolean; children?: ReactNode }) {
  const { t } = useTranslation()
  if (agrees)
    return (
      <p className="verdict" data-agrees>
        <Icon name="check" size={20} />
        <span>{t('loans.agrees')}</span>
      </p>
    )
  return (
    <div className="verdict" role="alert">
      <Icon name="alert" size={20} />
      <div>
        <strong>{t('loans.differs')}</strong>
        {children}
      </div>
    </div>
  )
}
