import type { Risk } from '@candela/protocol/lending/lever/leverage'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Status, type Tone } from '../../ui/state/status.tsx'

const tones: Record<Risk, Tone> = { low: 'good', medium: 'waiting', high: 'bad' }

export function RiskLabel({ risk }: { risk: Risk }) {
  const { t } = useTranslation()
  return <Status tone={tones[risk]}>{t(`lever.risk.${risk}`)}</Status>
}
