import path from 'node:path'
import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { text, tracked } from './support/source-files.ts'

/** No test is left out: each file is in one project, and each project is run by one of two commands. */

type Project = { test: { name: string; include: readonly string[]; exclude?: readonly string[] } }
const projects = ((config as { test: { projects: readonly unknown[] } }).test.projects as readonly Project[]).map(
  (project) => project.test,
)
/** Runs tests of another project once more, on another database. */
const ONCE_MORE = 'installed-postgres-long'
const matches = (file: string, globs: readonly string[] = []) =>
  globs.some((glob) => path.posix.matchesGlob(file, glob))

test('every file is in one project, a long one by its name', () => {
  const files = tracked.filter((file) => /\.test\.tsx?$/.test(file))
  expect(files.filter((file) => file.endsWith('.long.test.ts')).length).toBeGreaterThan(10)
  const wrong = files.flatMap((file) => {
    const of = projects.filter(
      ({ name, include, exclude }) => name !== ONCE_MORE && matches(file, include) && !matches(file, exclude),
    )
    const isLong = of[0]?.name.endsWith('-long')
    return of.length === 1 && isLong === file.endsWith('.long.test.ts') ? [] : [`${file}: ${of.length} projects`]
  })
  expect(wrong).toEqual([])
})

test('npm test runs the projects that npm run test:long does not', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
  expect(scripts['test']).toMatch(/&& vitest run --project='!\*-long'$/)
  expect(scripts['test:long']).toBe("vitest run --project='*-long'")
  expect(projects.some(({ name }) => name.endsWith('-long'))).toBe(true)
})
