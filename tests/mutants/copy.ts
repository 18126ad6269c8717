import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { applyMutation, type Mutation } from './mutation.ts'

const root = join(import.meta.dirname, '..', '..')

/** Workspaces of the project, and the others folders and files of its root that a run needs. */
export type CopyOptions = {
  workspaces: readonly string[]
  others: readonly string[]
  isCopied: (path: string) => boolean
}

/** A copy of some workspaces in a temporary folder, beside links to everything else that is installed. */
export type Copy = AsyncDisposable & {
  folder: string
  /** Applies a mutation to the copy, calls `use`, and restores the files. */
  withMutation: <T>(mutation: Mutation, use: () => Promise<T>) => Promise<T>
}

export async function makeCopy({ workspaces, others, isCopied }: CopyOptions): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-mutants-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const filter = (path: string) => !path.includes('node_modules') && isCopied(path)
  try {
    for (const part of [...workspaces, ...others, 'package.json']) {
      await cp(join(root, part), join(folder, part), { recursive: true, filter })
    }
    await linkPackages(folder, workspaces)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    folder,
    withMutation: (mutation, use) => withMutation(folder, mutation, use),
    [Symbol.asyncDispose]: remove,
  }
}

async function linkPackages(folder: string, workspaces: readonly string[]): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@candela'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    // The files that tools keep there belong to the project's own runs.
    if (name !== '@candela' && !/^\.(?!bin$)/.test(name)) {
      await symlink(join(root, 'node_modules', name), join(modules, name), 'junction')
    }
  }
  const own = join(root, 'node_modules', '@candela')
  for (const name of await readdir(own)) {
    const workspace = relative(root, resolve(own, await readlink(join(own, name))))
    const target = join(workspaces.includes(workspace) ? folder : root, workspace)
    await symlink(target, join(modules, '@candela', name), 'junction')
  }
}

async function withMutation<T>(folder: string, mutation: Mutation, use: () => Promise<T>): Promise<T> {
  const changed = await applyMutation(mutation, (file) => readFile(join(folder, file), 'utf8'))
  const originals = new Map<string, string>()
  try {
    for (const [file, source] of changed) {
      originals.set(file, await readFile(join(folder, file), 'utf8'))
      await writeFile(join(folder, file), source)
    }
    return await use()
  } finally {
    for (const [file, source] of originals) await writeFile(join(folder, file), source)
  }
}
