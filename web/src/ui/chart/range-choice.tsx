import { useTranslation } from '../../i18n/use-translation.ts'
import { Segmented } from '../control/segmented.tsx'

type Props<D extends string> = { ranges: readonly D[]; value: D; onChange: (days: D) => void }

const YEAR = '365'

/** How many days a picture shows. */
export function RangeChoice<D extends string>({ ranges, value, onChange }: Props<D>) {
  const { t } = useTranslation()
  return (
    <Segmented
      look="chips"
      label={t('chart.range')}
      options={ranges}
      textOf={(days) => (days === YEAR ? t('chart.year') : t('chart.days', { days }))}
      value={value}
      onChange={onChange}
    />
  )
}
