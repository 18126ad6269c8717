/** Draws the icons of the installed app and the picture that a shared link shows (`npm run icons`); they are committed. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startBrowser } from '../testing/browser/browser.ts'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const folder = path.join(import.meta.dirname, '..', 'web', 'public')

const GROUND = '#0c0b0a'
const flame = `
  <path d="M32 11c6.5 7.6 10 13 10 18.2a10 10 0 0 1-20 0C22 24 25.5 18.6 32 11Z" fill="#f2b04a" />
  <path d="M32 24.5c2.7 3.3 4 5.6 4 7.7a4 4 0 0 1-8 0c0-2.1 1.3-4.4 4-7.7Z" fill="#fff3d9" />
  <path d="M32 45v9" stroke="#f4efe6" stroke-width="5" stroke-linecap="round" />`

/** `inset`: how much of the picture's edge a launcher may cut away, as a fraction. */
const icon = (size: number, { inset, round }: { inset: number; round: boolean }) => {
  const space = 64 * inset
  const view = `${-space} ${-space} ${64 + 2 * space} ${64 + 2 * space}`
  const corner = round ? 'border-radius: 23%;' : ''
  return `<div style="width: ${size}px; height: ${size}px; background: ${GROUND}; ${corner}">
    <svg viewBox="${view}" width="${size}" height="${size}">${flame}</svg></div>`
}

const share = `
  <div style="position: relative; width: 1200px; height: 630px; overflow: hidden; background: ${GROUND}; color: #f5f0e7;
    font-family: 'Noto Sans CJK TC', 'Noto Sans TC', 'Noto Sans', sans-serif">
    <div style="position: absolute; inset: -200px; background:
      radial-gradient(34% 42% at 76% 46%, rgb(242 176 74 / 34%), rgb(242 176 74 / 8%) 55%, transparent 78%)"></div>
    <svg viewBox="16 6 32 52" width="300" height="487" style="position: absolute; left: 812px; top: 72px">${flame}</svg>
    <div style="position: absolute; left: 96px; top: 150px; width: 720px">
      <p style="margin: 0; font-size: 104px; font-weight: 600; letter-spacing: -0.02em; line-height: 1.1">Candela</p>
      <p style="margin: 36px 0 0; font-size: 42px; line-height: 1.4">鏈上算力，每個數字都能自己驗算</p>
      <p style="margin: 14px 0 0; font-size: 30px; line-height: 1.45; color: #b9b0a2; text-wrap: balance">
        Computing power paid on chain, with figures you can recompute</p>
    </div>
  </div>`

const pictures: Record<string, { width: number; height: number; html: string }> = {
  'icon-192.png': { width: 192, height: 192, html: icon(192, { inset: 0, round: true }) },
  'icon-512.png': { width: 512, height: 512, html: icon(512, { inset: 0, round: true }) },
  // A circle of 80 % of the width always stays.
  'icon-maskable-512.png': { width: 512, height: 512, html: icon(512, { inset: 0.08, round: false }) },
  'apple-touch-icon.png': { width: 180, height: 180, html: icon(180, { inset: 0.04, round: false }) },
  'share.png': { width: 1200, height: 630, html: share },
}

const { browser, close } = await startBrowser()
try {
  for (const [name, { width, height, html }] of Object.entries(pictures)) {
    const page = await browser.newPage({ viewport: { width, height } })
    await page.setContent(`<body style="margin: 0; background: transparent">${html}</body>`)
    await writeFile(path.join(folder, name), await page.screenshot({ omitBackground: true }))
    await page.close()
  }
} finally {
  await close()
}
