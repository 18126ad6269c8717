import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useStore } from '../../lib/store.ts'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { PullToRefresh } from '../../ui/list/pull-to-refresh.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { ProjectCard } from './project-card.tsx'
import { ProjectDetail } from './project-detail.tsx'
import './project.css'

/** Loan products side by side; `?no=` opens one of them. */
export default function Projects({ path }: { path: Path }) {
  const { path: at, query } = useStore(useRouter().place)
  const projectNo = at === path ? query['no'] : undefined
  return (
    <Screen path={path}>
      {projectNo === undefined ? <ProjectList /> : <ProjectDetail key={projectNo} projectNo={projectNo} />}
    </Screen>
  )
}

function ProjectList() {
  const { t } = useTranslation()
  const router = useRouter()
  const projects = useRead('GET project/list', {}, { pollMs: () => 30_000 })
  const loading = (
    <div className="list" aria-busy="true">
      {[0, 1].map((each) => (
        <Skeleton key={each} width="100%" height={190} />
      ))}
    </div>
  )
  return (
    <PullToRefresh refresh={projects.refetch}>
      <QueryView
        query={projects}
        loading={loading}
        empty={{
          when: ({ items }) => items.length === 0,
          view: <StateView icon="project" title={t('project.none')} text={t('project.noneText')} />,
        }}
      >
        {({ items }) => (
          <div className="list">
            <h2>{t('project.popular')}</h2>
            {items.map((project) => (
              <ProjectCard
                key={project.projectNo}
                project={project}
                open={() => router.go('/project', { no: project.projectNo })}
              />
            ))}
          </div>
        )}
      </QueryView>
    </PullToRefresh>
  )
}
