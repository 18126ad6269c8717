import type { Database } from '../../../db/open.ts'
import type { Handlers } from '../../../kernel/handler.ts'
import { getProject, listProjects } from './list-projects.ts'

export function projectHandlers({ db }: { db: Database }): Handlers<'GET project/list' | 'GET project/detail'> {
  return {
    'GET project/list': (_input, { now }) => listProjects(db, now),
    'GET project/detail': ({ projectNo }, { now }) => getProject(db, projectNo, now),
  }
}
