import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { languageTag } from '@candela/protocol/language'
import { useTranslation } from '../i18n/use-translation.ts'
import { formatDays, formatPercent } from '../lib/format.ts'
import { Amount } from '../ui/amount/amount.tsx'
import { Row } from '../ui/list/row.tsx'

type Lines = { safetyLine: string; clearingLine: string; initialRate?: string | undefined }

/** Everything that a loan can cost besides its interest, and the lines that it must stay below. */
export function ChargesRows({ charges, lines }: { charges: ProjectItem['charges']; lines: Lines }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  return (
    <dl className="rows">
      {lines.initialRate !== undefined && (
        <Row label={t('loans.initialRate')} value={formatPercent(lines.initialRate)} />
      )}
      <Row label={t('loans.safetyLine')} value={formatPercent(lines.safetyLine)} />
      <Row label={t('loans.clearingLine')} value={formatPercent(lines.clearingLine)} />
      <Row
        label={t('loans.lateRate')}
        value={t('loans.aDay', { rate: formatPercent(charges.lateRate, 4) })}
        note={t('loans.grace', { days: formatDays(charges.graceDays, tag) })}
      />
      <Row label={t('loans.default')} value={formatDays(charges.defaultDays, tag)} note={t('loans.defaultNote')} />
      <Row
        label={t('loans.liquidationFee')}
        value={formatPercent(charges.liquidationFee)}
        note={t('loans.fullBelow', { amount: charges.fullBelow })}
      />
      <Row label={t('loans.installmentFee')} value={<Amount value={charges.installmentFee} unit="USDT" />} />
    </dl>
  )
}
