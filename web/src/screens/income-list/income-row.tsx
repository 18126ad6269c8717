import { languageTag } from '@candela/protocol/language'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatDay, formatTime } from '../../lib/format.ts'
import type { Income } from './income-type.ts'

/** One income; a tap opens what it was computed from. */
export function IncomeRow({ income, open }: { income: Income; open: () => void }) {
  const { t, language } = useTranslation()
  const { id, type, asset, amount, day, at } = income
  const tag = languageTag[language]
  return (
    <button type="button" className="income-row" data-income={id} data-day={day ?? undefined} onClick={open}>
      <span className="income-what">{t(`income.${type}`)}</span>
      <span className="income-amount">
        +<Amount value={amount} unit={asset} digits={6} />
      </span>
      <span className="income-when">
        {day === null ? formatTime(at, tag) : t('income.ofDay', { day: formatDay(day, tag) })}
      </span>
    </button>
  )
}
