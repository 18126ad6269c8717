/**
 * Measures what a visitor's first look costs: the JavaScript that Chromium really asks for on `/index` of the production build, and
 * Lighthouse's mobile scores. Prints each figure beside its aim; ends with 1 when an aim is missed.
 */
import { gzipSync } from 'node:zlib'
import lighthouse from 'lighthouse'
import { freePort } from '@candela/testing/process/ports'
import { startBrowser } from '@candela/testing/browser/browser'
import { startProduct } from '@candela/journeys/support/products/product'
import { median, print } from './support/figures.ts'
import { showHelp } from '../../scripts/usage.ts'

showHelp(import.meta.filename)

const AIM_FIRST_LOAD_KB = 95
const AIM_SCORE = 100
/** The most that a timing or the layout's shift may be; scores are to reach theirs. */
const AIMS_AT_MOST: Readonly<Record<string, number>> = {
  'largest-contentful-paint (ms)': 1_200,
  'total-blocking-time (ms)': 50,
  'layout shift': 0,
}
/** Lighthouse varies with the machine's load; the middle of five runs is what it means. */
const LIGHTHOUSE_RUNS = 5

/** Text that only the wallet's libraries hold: wagmi's and viem's own error texts. */
const WALLET_MARKS = ['ConnectorAlreadyConnectedError', 'UserRejectedRequestError', 'eth_sendTransaction']

type Script = { name: string; gzipBytes: number; marks: string[] }

async function firstLoad(url: string): Promise<Script[]> {
  const { browser, close } = await startBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const scripts: Promise<Script>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      scripts.push(
        response.body().then((body) => ({
          name: new URL(response.url()).pathname,
          gzipBytes: gzipSync(body, { level: 9 }).length,
          marks: WALLET_MARKS.filter((mark) => body.includes(mark)),
        })),
      )
    })
    await page.goto(url, { waitUntil: 'networkidle' })
    return await Promise.all(scripts)
  } finally {
    await close()
  }
}

async function lighthouseScores(url: string): Promise<Record<string, number>[]> {
  const port = await freePort()
  const { close } = await startBrowser({ debuggingPort: port })
  try {
    const runs: Record<string, number>[] = []
    let failures = 0
    while (runs.length < LIGHTHOUSE_RUNS) {
      const result = await lighthouse(url, {
        port,
        output: 'json',
        logLevel: 'error',
        onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
      })
      if (result === undefined) throw new Error('Lighthouse gave no result')
      const { categories, audits, runtimeError } = result.lhr
      // A run in which the page was never painted says nothing about the page; the next one does.
      if (runtimeError !== undefined) {
        print(`  a run without a result: ${runtimeError.message}`)
        if ((failures += 1) > LIGHTHOUSE_RUNS) throw new Error('Lighthouse cannot measure here')
        continue
      }
      const scores = Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)])
      const timings = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map((name) => [
        `${name} (ms)`,
        Math.round(audits[name]?.numericValue ?? 0),
      ])
      runs.push({
        ...Object.fromEntries(scores),
        'layout shift': audits['cumulative-layout-shift']?.numericValue ?? 0,
        ...Object.fromEntries(timings),
      })
    }
    return runs
  } finally {
    await close()
  }
}

const product = await startProduct({ mode: 'production' })
try {
  const url = `${product.origin}/#/index`
  const scripts = await firstLoad(url)
  const totalKb = scripts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) / 1000
  for (const { name, gzipBytes } of scripts) print(`  ${(gzipBytes / 1000).toFixed(1).padStart(7)} kB gzip  ${name}`)
  print(`first load of /index: ${totalKb.toFixed(1)} kB of JavaScript, gzip (aim ≤ ${AIM_FIRST_LOAD_KB})`)
  const marks = scripts.flatMap((script) => script.marks.map((mark) => `${mark} in ${script.name}`))
  print(`wallet code in it: ${marks.length === 0 ? 'none' : marks.join(', ')}`)

  const runs = await lighthouseScores(url)
  const missed = Object.keys(runs[0] ?? {}).filter((name) => {
    const found = median(runs.map((run) => run[name] ?? 0))
    const most = AIMS_AT_MOST[name]
    const isTiming = name === 'first-contentful-paint (ms)'
    const aim = most === undefined ? `≥ ${AIM_SCORE}` : `≤ ${most}`
    print(`  ${name}: ${found} (${isTiming ? '' : `aim ${aim}; `}runs: ${runs.map((run) => run[name]).join(', ')})`)
    return !isTiming && (most === undefined ? found < AIM_SCORE : found > most)
  })
  print(missed.length === 0 ? 'every aim of Lighthouse is reached' : `missed: ${missed.join(', ')}`)
  if (totalKb > AIM_FIRST_LOAD_KB || marks.length > 0 || missed.length > 0) process.exitCode = 1
} finally {
  await product.stop()
}
