import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const web = path.join(import.meta.dirname, '..', '..')
const shared = (file: string) => path.join(web, 'public', file)
const html = readFileSync(path.join(web, 'index.html'), 'utf8')

const manifest = z
  .object({
    id: z.literal('/'),
    name: z.string(),
    lang: z.string(),
    scope: z.literal('/'),
    start_url: z.string(),
    display: z.literal('standalone'),
    background_color: z.string(),
    theme_color: z.string(),
    icons: z.array(
      z.object({ src: z.string(), sizes: z.string(), type: z.string(), purpose: z.enum(['any', 'maskable']) }),
    ),
  })
  .loose()
  .parse(JSON.parse(readFileSync(shared('manifest.webmanifest'), 'utf8')))

/** Width and height as a PNG says them itself. */
function sizeOf(file: string): string {
  const bytes = readFileSync(shared(file))
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

test('a browser can install the app: icons of each purpose in the sizes that they say', () => {
  const pictures = manifest.icons.filter(({ type }) => type === 'image/png')
  expect(pictures.map(({ src, sizes }) => [src, sizes])).toEqual(pictures.map(({ src }) => [src, sizeOf(src)]))
  expect(new Set(pictures.map(({ sizes, purpose }) => `${purpose} ${sizes}`))).toEqual(
    new Set(['any 192x192', 'any 512x512', 'maskable 512x512']),
  )
  expect(sizeOf('apple-touch-icon.png')).toBe('180x180')
})

test('the app opens in the colours and the language of its first screen', () => {
  expect(html).toContain(`<meta name="theme-color" content="${manifest.theme_color}" />`)
  expect(html).toContain(`<html lang="${manifest.lang}" data-theme="dark" translate="no">`)
  expect(manifest.background_color).toBe(manifest.theme_color)
  expect(readFileSync(path.join(web, 'src/ui/style/tokens.css'), 'utf8')).toContain(
    `--ground: ${manifest.theme_color};`,
  )
})

test('every file that the page names is there', () => {
  const named = [...html.matchAll(/(?:href|content)="(\/[\w.-]+)"/g)].map(([, file = '']) => file)
  expect(named.toSorted()).toEqual(['/apple-touch-icon.png', '/icon.svg', '/manifest.webmanifest', '/share.png'])
  for (const file of named) expect(statSync(shared(file)).size).toBeGreaterThan(0)
})

/** The page says this of itself to those who show links. */
const property = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]+)" />`).exec(html)?.[1]

test('a shared link has a title, a sentence and a picture in the size that it says', () => {
  expect(property('title')).toBe('Candela')
  expect(property('description')?.length).toBeGreaterThan(20)
  expect(`${property('image:width')}x${property('image:height')}`).toBe(sizeOf('share.png'))
  // Services that show links leave out pictures that are too large.
  expect(statSync(shared('share.png')).size).toBeLessThan(300_000)
})
