import { textIn } from '@candela/protocol/language'
import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { toBaseUnits } from '@candela/protocol/money/money'
import { percentOf } from '../../lending/safety/price-places.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatPercent } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { OutsidePicture } from '../../ui/picture/outside-picture.tsx'
import { Progress } from '../../ui/picture/progress.tsx'

/** How much of a project is lent. */
export function LentProgress({ project: { total, borrowed } }: { project: ProjectItem }) {
  const { t } = useTranslation()
  const values = { borrowed: formatAmount(borrowed, 2), total: formatAmount(total, 2) }
  return (
    <span className="project-progress">
      <Progress
        value={percentOf(toBaseUnits(borrowed), toBaseUnits(total))}
        max={100}
        label={t('project.progress', values)}
      />
      <span className="project-line">
        <span>{t('project.borrowedOf', { amount: values.borrowed })}</span>
        <span>{t('project.totalOf', { amount: values.total })}</span>
      </span>
    </span>
  )
}

/** A project at a glance; a tap opens its terms and the form. */
export function ProjectCard({ project, open }: { project: ProjectItem; open: () => void }) {
  const { t, language } = useTranslation()
  const { projectNo, name, rate, available, collateralAsset, interestEarned, information, picture } = project
  return (
    <article className="project-card" data-project={projectNo}>
      <span className="project-head">
        <span className="project-name">
          {picture !== null && (
            <OutsidePicture url={picture} width={40} height={40} instead={<Icon name="project" />} />
          )}
          {/* It covers the whole card, and is named by the title alone: the figures are read one by one. */}
          <button type="button" className="project-open" onClick={open}>
            {textIn(name, language)}
          </button>
        </span>
        <span className="project-rate">{t('loans.aYear', { rate: formatPercent(rate) })}</span>
      </span>
      <span className="project-information">{textIn(information, language)}</span>
      <LentProgress project={project} />
      <span className="project-line">
        <span>{t('project.available')}</span>
        <b>
          <Amount value={available} unit="USDT" digits={2} />
        </b>
      </span>
      <span className="project-line">
        <span>{t('project.collateral')}</span>
        <b>{collateralAsset}</b>
      </span>
      <span className="project-line">
        <span>{t('project.interest')}</span>
        <b>
          <Amount value={interestEarned} unit="USDT" digits={2} />
        </b>
      </span>
    </article>
  )
}
