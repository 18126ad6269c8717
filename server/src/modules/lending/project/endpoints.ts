import type { Database } from '../../../db/open.ts'
import type { Handlers } from '../../../kernel/handler.ts'
import { getProject, listProjects, type ProjectDeps } from './list-projects.ts'

export function projectHandlers(
  deps: ProjectDeps & { db: Database },
): Handlers<'GET project/list' | 'GET project/detail'> {
  return {
    'GET project/list': (_input, { now }) => listProjects(deps.db, deps, now),
    'GET project/detail': ({ projectNo }, { now }) => getProject(deps.db, deps, projectNo, now),
  }
}
