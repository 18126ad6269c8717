/** One replacement: the only occurrence of `search` in `file` becomes `replace`. `file` is a path from the project's root. */
export type Edit = { file: string; search: string; replace: string }

/** A planted bug that tests, or the simulation, have to find, as one or more edits of the source. */
export type Mutation = Edit & { name: string; more?: Edit[] }

export const editsOf = ({ file, search, replace, more = [] }: Mutation): Edit[] => [{ file, search, replace }, ...more]

/** Mutations of one file. */
export const inFile = (file: string, mutations: readonly Omit<Mutation, 'file'>[]): Mutation[] =>
  mutations.map((mutation) => ({ file, ...mutation }))

/** @throws when `search` does not occur exactly once, or nothing changes: then the list of mutations has to be corrected */
export function applyEdit(source: string, { file, search, replace }: Edit): string {
  const parts = source.split(search)
  if (parts.length !== 2) throw new Error(`"${search}" is in ${parts.length - 1} places of ${file} instead of one`)
  if (search === replace) throw new Error(`"${search}" of ${file} is replaced by itself`)
  return parts.join(replace)
}

/**
 * The files that a mutation changes, with their new text. `read` gives a file's text.
 * @throws when an edit matches no place, or several
 */
export async function applyMutation(
  mutation: Mutation,
  read: (file: string) => Promise<string>,
): Promise<Map<string, string>> {
  const changed = new Map<string, string>()
  for (const edit of editsOf(mutation)) {
    changed.set(edit.file, applyEdit(changed.get(edit.file) ?? (await read(edit.file)), edit))
  }
  return changed
}
