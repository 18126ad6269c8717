import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** How different two pixels may be and still count as the same: what smoothing of edges makes. */
const THRESHOLD = 0.1

type Picture = {
  /** The name of the file, relative to the set's folder. */
  name: string
  /** Parts of the picture that differ from the last time, from 0 to 1; null when there was none or it had another size. */
  difference: number | null
}

/**
 * Compares the pictures in `now` with those in `last` and writes `index.html` and `differences/` beside both. Texts that show a time or
 * a number of the chain differ each time; the report is looked at by people and fails nothing.
 */
export async function writeReport(root: string): Promise<{ pictures: number; changed: number }> {
  const differences = path.join(root, 'differences')
  await rm(differences, { recursive: true, force: true })
  const files = await readdir(path.join(root, 'now'), { recursive: true })
  const names = files.filter((file) => file.endsWith('.png')).toSorted()
  const pictures: Picture[] = []
  for (const name of names) pictures.push({ name, difference: await compare(root, name) })
  await writeFile(path.join(root, 'index.html'), pageOf(pictures))
  return { pictures: pictures.length, changed: pictures.filter(({ difference }) => difference !== 0).length }
}

async function compare(root: string, name: string): Promise<number | null> {
  const before = path.join(root, 'last', name)
  if (!existsSync(before)) return null
  const [a, b] = [PNG.sync.read(await readFile(before)), PNG.sync.read(await readFile(path.join(root, 'now', name)))]
  const { width, height } = b
  if (a.width !== width || a.height !== height) return null
  const shown = new PNG({ width, height })
  const count = pixelmatch(a.data, b.data, shown.data, width, height, { threshold: THRESHOLD })
  if (count === 0) return 0
  const file = path.join(root, 'differences', name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, PNG.sync.write(shown))
  return count / (width * height)
}

/** The picture that has changed most comes first; the rest in the order of the names. */
function pageOf(pictures: readonly Picture[]): string {
  const weight = ({ difference }: Picture) => difference ?? 2
  const cards = pictures
    .toSorted((a, b) => weight(b) - weight(a) || a.name.localeCompare(b.name))
    .map(({ name, difference }) => {
      const views = difference === null ? ['now'] : difference === 0 ? ['now'] : ['last', 'now', 'differences']
      const images = views.map((view) => `<img loading="lazy" src="${view}/${encodeURI(name)}" alt="${view}">`).join('')
      const how = difference === null ? 'new' : difference === 0 ? 'same' : `${(difference * 100).toFixed(2)} % differ`
      return `<figure><figcaption>${name} <b>${how}</b></figcaption>${images}</figure>`
    })
  return `<!doctype html><meta charset="utf-8"><title>Pictures of Candela</title>
<style>body{font:14px system-ui;margin:24px;background:#eee}figure{display:inline-block;margin:0 16px 24px 0;vertical-align:top}
img{width:260px;border:1px solid #999;margin-inline-end:4px;vertical-align:top}</style>
${cards.join('\n')}
`
}
