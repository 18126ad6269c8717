/** One replacement: the only occurrence of `search` in `file` becomes `replace`. `file` is a path from the project's root. */
export type Edit = { file: string; search: string; replace: string }

/** A defect that the simulation has to find, as one or more edits of the server's source. */
export type Mutation = Edit & { name: string; more?: Edit[] }

export const editsOf = ({ file, search, replace, more = [] }: Mutation): Edit[] => [{ file, search, replace }, ...more]

/** @throws when `search` does not occur exactly once: then the list of mutations has to be corrected */
export function applyEdit(source: string, { file, search, replace }: Edit): string {
  const parts = source.split(search)
  if (parts.length !== 2) throw new Error(`"${search}" is in ${parts.length - 1} places of ${file} instead of one`)
  return parts.join(replace)
}
