import type { Translate } from '../i18n/translate.ts'

// Each of these names itself like those below it too, so the order matters.
const browsers: readonly [RegExp, string][] = [
  [/MetaMask/i, 'MetaMask'],
  [/TokenPocket/i, 'TokenPocket'],
  [/imToken/i, 'imToken'],
  [/OKApp|OKX/i, 'OKX'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const findIn = (table: readonly [RegExp, string][], text: string) => table.find(([mark]) => mark.test(text))?.[1]

/** Names a device as people do, from the text that its browser sends. It is only as honest as the browser. */
export function deviceName(userAgent: string, t: Translate): string {
  const [browser, system] = [findIn(browsers, userAgent), findIn(systems, userAgent)]
  if (browser !== undefined && system !== undefined) return t('device.on', { browser, system })
  return browser ?? system ?? t('device.unknown')
}
