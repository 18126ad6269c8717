import { textIn, languageTag } from '@candela/protocol/language'
import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { useRead } from '../../api/use-read.ts'
import { BackLink } from '../../lending/back-link.tsx'
import { ChargesRows } from '../../lending/charges-rows.tsx'
import { Fold } from '../../ui/control/fold.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent, formatTime } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { BorrowForm } from './borrow-form.tsx'
import { LentProgress } from './project-card.tsx'
import { Row } from '../../ui/list/row.tsx'

/** Shows what bounds the loans on the project's collateral, and why. */
function CeilingRows({ project: { ceiling, collateralAsset: asset } }: { project: ProjectItem }) {
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

/** One project: what it is, what it costs, and borrowing from it. */
export function ProjectDetail({ projectNo }: { projectNo: string }) {
  const { t } = useTranslation()
  const detail = useRead('GET project/detail', { projectNo }, { pollMs: () => 30_000 })
  return (
    <div className="project">
      <BackLink to="/project">{t('project.all')}</BackLink>
      <QueryView query={detail} loading={<Skeleton width="100%" height={420} />}>
        {({ project }) => <Detail project={project} />}
      </QueryView>
    </div>
  )
}

function Detail({ project }: { project: ProjectItem }) {
  const { t, language } = useTranslation()
  const { name, information, rate, available, charges, interestEarned, collateralAsset } = project
  const figure = (key: 'available' | 'interest', value: string) => (
    <Figure
      label={t(`project.${key}`)}
      value={<Amount value={value} unit="USDT" digits={2} />}
      from={{
        title: t(`project.${key}`),
        value: usdt(value),
        text: t(`project.${key}From`),
      }}
    />
  )
  return (
    <>
      <section className="card">
        <h2>{textIn(name, language)}</h2>
        <p className="muted">{textIn(information, language)}</p>
        <LentProgress project={project} />
        <div className="project-figures">
          <Figure
            label={t('project.rate')}
            value={formatPercent(rate)}
            from={{ title: t('project.rate'), value: formatPercent(rate, 4), text: t('project.rateFrom') }}
          />
          <Figure label={t('project.collateral')} value={collateralAsset} />
          {figure('available', available)}
          {figure('interest', interestEarned)}
        </div>
        <Fold title={t('project.terms')}>
          <ChargesRows charges={charges} lines={project} />
        </Fold>
        <Fold title={t('project.limits')}>
          <CeilingRows project={project} />
        </Fold>
      </section>
      {project.open ? (
        <BorrowForm project={project} />
      ) : (
        <StateView icon="project" title={t('project.closed')} text={t('project.closedText')} />
      )}
    </>
  )
}
