import { languageTag } from '@candela/protocol/language'
import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatTime } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'

/** Shows what bounds the loans on the project's collateral, and why. */
export function CeilingRows({ project: { ceiling, collateralAsset: asset } }: { project: ProjectItem }) {
  const { t, language } = useTranslation()
  const { depth, observedSince, all, member, owed } = ceiling
  return (
    <>
      <p className="muted small">{t('project.limitsText', { asset })}</p>
      <dl className="rows">
        <Row
          label={t('project.depth')}
          value={depth === null ? '—' : usdt(depth)}
          note={
            observedSince === null
              ? undefined
              : t('project.depthNote', { time: formatTime(observedSince, languageTag[language]) })
          }
        />
        <Row label={t('project.ceilingAll', { asset })} value={usdt(all)} />
        <Row label={t('project.ceilingOwed')} value={usdt(owed)} />
        <Row label={t('project.ceilingMember')} value={usdt(member)} />
      </dl>
    </>
  )
}
