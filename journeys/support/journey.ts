/** `journeysOf` gives each file a product and a browser, and each journey a fresh profile that must stay clean. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningBrowser, startBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { openBrowserSession, type BrowserSession, type BrowserSessionOptions, takePicture } from './browser-session.ts'

export type Journeys = {
  product: () => Product
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

/** `env` is added to the product's settings. */
export function journeysOf(mode: 'development' | 'production', env: Record<string, string> = {}): Journeys {
  let product: Product
  let browser: RunningBrowser

  beforeAll(async () => {
    product = await startProduct(mode, env)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  return {
    product: () => product,
    journey: (name, prepare, run) =>
      test(name, async () => {
        const prepared = await prepare()
        const session = await openBrowserSession({ browser: browser.browser, origin: product.origin, ...prepared })
        try {
          await run(session)
          expect(session.problems).toEqual([])
        } catch (error) {
          const picture = await takePicture(session, name)
          throw new Error(`${String(error)}\nPicture: ${picture}\n${session.problems.join('\n')}`, { cause: error })
        } finally {
          await session.close()
        }
      }),
  }
}
