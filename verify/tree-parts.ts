import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Node, Sums } from './sum-tree.ts'

/** The leaves of a day as `solvency/tree` answers them and as they are kept. */

export const hashForm = z.custom<`0x${string}`>((text) => /^0x[0-9a-f]{64}$/.test(String(text)))
const amount = z.string().regex(/^\d{1,39}$/)
export const sumsForm = z.tuple([amount, amount, amount])
export const nodeForm = z.object({ hash: hashForm, sums: sumsForm })
export const treeForm = z.object({
  day: z.string(),
  block: z.number(),
  ledgerSequence: z.string(),
  leaves: z.number(),
  parts: z.number(),
  part: z.number(),
  items: z.array(nodeForm),
})

export const toSums = ([usdt, coin, ju]: z.infer<typeof sumsForm>): Sums => [BigInt(usdt), BigInt(coin), BigInt(ju)]

export const toNode = ({ hash, sums }: z.infer<typeof nodeForm>): Node => ({ hash, sums: toSums(sums) })

/** All leaves of a day, in their order. */
export type Tree = { day: string; block: number; ledgerSequence: string; leaves: Node[] }

/** The day that a file is a part of, by its name: "tree" and then the day, as `--data` names them. */
const dayOf = (name: string): string | undefined =>
  name.endsWith('.json') ? /tree.*?(\d{4}-\d\d-\d\d)/.exec(name)?.[1] : undefined

/**
 * The tree of a day from a folder of its parts, whatever else is in it.
 * @param day null for the newest in the folder
 * @throws with what is missing or of another form
 */
export async function readTree(folder: string, day: string | null, progress: (text: string) => void): Promise<Tree> {
  const names = await readdir(folder)
  const of =
    day ??
    names
      .flatMap((name) => dayOf(name) ?? [])
      .toSorted()
      .at(-1)
  const own = names.filter((name) => of !== undefined && dayOf(name) === of)
  if (of === undefined || own.length === 0) throw new Error(`${folder} has no part of the tree of ${of ?? 'any day'}`)
  const found = new Map<number, z.infer<typeof treeForm>>()
  for (const name of own) {
    const parsed = treeForm.safeParse(JSON.parse(await readFile(path.join(folder, name), 'utf8')))
    if (!parsed.success || parsed.data.day !== of) throw new Error(`${name} is no part of the tree of ${of}`)
    found.set(parsed.data.part, parsed.data)
    progress(`tree of ${of}: ${found.size} of ${parsed.data.parts} parts`)
  }
  const [first] = found.values()
  const parts = Array.from({ length: first?.parts ?? 0 }, (_, part) => {
    const piece = found.get(part)
    if (piece === undefined) throw new Error(`part ${part} of the tree of ${of} is missing`)
    return piece
  })
  const leaves: Node[] = []
  for (const { items } of parts) for (const item of items) leaves.push(toNode(item))
  if (leaves.length !== first?.leaves)
    throw new Error(`the tree of ${of} has ${leaves.length} leaves of ${first?.leaves}`)
  return { day: of, block: first.block, ledgerSequence: first.ledgerSequence, leaves }
}
