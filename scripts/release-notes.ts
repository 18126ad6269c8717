/**
 * The section of a version in CHANGELOG.md, without its heading.
 * @throws where there is none, or where it says nothing
 */
export function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((one) => one.split('\n')[0]?.startsWith(`${version} — `))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} — YYYY-MM-DD"`)
  const notes = section.split('\n').slice(1).join('\n').trim()
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return `${notes}\n`
}
