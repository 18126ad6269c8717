/** Takes pictures of the development page of all pieces, in each language: `npx node tests/journeys/pictures/pieces.ts <folder>`. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { languages } from '@candela/protocol/language'
import { startBrowser } from '@candela/testing/browser/browser'
import { startProduct } from '../support/products/product.ts'
import { showHelp } from '../../../scripts/usage.ts'

showHelp(import.meta.filename)

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Say where the pictures go: npx node tests/journeys/pictures/pieces.ts <folder>\n')
  process.exit(1)
}
const product = await startProduct({ mode: 'development' })
const { browser, close } = await startBrowser()
try {
  for (const language of languages) {
    const page = await browser.newPage({ viewport: { width: 780, height: 900 }, reducedMotion: 'reduce' })
    await page.goto(`${product.origin}/#/_ui?lang=${language}`)
    await page.locator('.pieces').waitFor()
    await mkdir(path.join(folder, language), { recursive: true })
    for (const theme of ['dark', 'light'])
      await page
        .locator(`.pieces-theme[data-theme="${theme}"]`)
        .screenshot({ path: path.join(folder, language, `pieces-${theme}.png`) })
    await page.close()
  }
} finally {
  await close()
  await product.stop()
}
