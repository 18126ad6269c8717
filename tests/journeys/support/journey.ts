/** `journeysOf` gives each file a product and a browser, and each journey a fresh profile that must stay clean. */
import { needsPackages } from '@candela/testing/process/needs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type RunningBrowser, startBrowser } from '@candela/testing/browser/browser'
import { lookForChromium } from '@candela/testing/browser/find-chromium'
import {
  type BrowserSession,
  type BrowserSessionOptions,
  openBrowserSession,
  saveScreenshot,
} from '@candela/testing/browser/browser-session'
import { type Product, type ProductOptions, type RunningProduct, startProduct } from './products/product.ts'
import type { SharedProductName } from './products/shared-products.ts'

export type Journeys = {
  product: () => RunningProduct
  /**
   * One journey of one person. Anything that the browser's console calls an error fails it at the end; a failed one
   * leaves a picture.
   */
  journey: (
    name: string,
    prepare: () => Promise<Prepared> | Prepared,
    run: (session: BrowserSession) => Promise<void>,
  ) => void
}

type Prepared = Omit<BrowserSessionOptions, 'browser' | 'origin'>

type ProductSource = () => Promise<RunningProduct>

/** Options of a test in a browser. */
const needsBrowser = needsPackages((await lookForChromium()) === undefined ? ['chromium'] : [])

const refuseToPassTime = () => Promise.reject(new Error('Others use this product: its time must not be moved'))

/** A product that other files use at the same time, for what concerns one person only. */
export const sharedProduct =
  (name: SharedProductName): ProductSource =>
  async () => {
    const answer = await fetch(`${inject('sharedProducts')}/${encodeURIComponent(name)}`)
    if (!answer.ok) throw new Error(await answer.text())
    return {
      ...((await answer.json()) as Product),
      passTime: refuseToPassTime,
      stopServer: refuseToPassTime,
      stop: () => Promise.resolve(),
    }
  }

/** A product of this file alone, for what concerns everybody on it. */
export const ownProduct =
  (options: ProductOptions): ProductSource =>
  () =>
    startProduct(options)

export function journeysOf(openProduct: ProductSource): Journeys {
  let product: RunningProduct
  let browser: RunningBrowser

  beforeAll(async () => {
    product = await openProduct()
    if (!needsBrowser.skip) browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  return {
    product: () => product,
    journey: (name, prepare, run) =>
      test(name, needsBrowser, async () => {
        const prepared = await prepare()
        const session = await openBrowserSession({ browser: browser.browser, origin: product.origin, ...prepared })
        try {
          await run(session)
          expect(session.problems).toEqual([])
        } catch (error) {
          const picture = await saveScreenshot(session, name).catch(String)
          throw new Error(`${String(error)}\nPicture: ${picture}\n${session.problems.join('\n')}`, { cause: error })
        } finally {
          await session.close()
        }
      }),
  }
}
