import '../../ui/list/entry-row.css'
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
    <button type="button" className="entry-row" data-income={id} data-day={day ?? undefined} onClick={open}>
      <span className="entry-row-what">{t(`income.${type}`)}</span>
      <span className="entry-row-amount">
        +<Amount value={amount} unit={asset} digits={6} />
      </span>
      <span className="entry-row-note">
        {day === null ? formatTime(at, tag) : t('income.ofDay', { day: formatDay(day, tag) })}
      </span>
    </button>
  )
}
