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
        <Row label={t('credit.initialRate')} value={formatPercent(lines.initialRate)} />
      )}
      <Row label={t('credit.safetyLine')} value={formatPercent(lines.safetyLine)} />
      <Row label={t('credit.clearingLine')} value={formatPercent(lines.clearingLine)} />
      <Row
        label={t('credit.lateRate')}
        value={t('credit.aDay', { rate: formatPercent(charges.lateRate, 4) })}
        note={t('credit.grace', { days: formatDays(charges.graceDays, tag) })}
      />
      <Row label={t('credit.default')} value={formatDays(charges.defaultDays, tag)} note={t('credit.defaultNote')} />
      <Row
        label={t('credit.liquidationFee')}
        value={formatPercent(charges.liquidationFee)}
        note={t('credit.fullBelow', { amount: charges.fullBelow })}
      />
      <Row label={t('credit.installmentFee')} value={<Amount value={charges.installmentFee} unit="USDT" />} />
    </dl>
  )
}
