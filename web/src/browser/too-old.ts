/**
 * Says that the browser is too old for the app, where the app itself cannot run. Loaded by `oldBrowserScript`, and written in the language of
 * 2009 for that reason: `var`, `function`, no types that leave anything behind. `tests/rules/browsers.test.ts` checks the built file.
 */
/* oxlint-disable no-var, prefer-template, unicorn/prefer-query-selector, prefer-arrow-callback, unicorn/prefer-add-event-listener, unicorn/require-module-specifiers -- the language of 2009 */

/** The browsers of `web/browsers.ts`, put in by the build. */
/** Where the QR code's script is; null for a page that fetches nothing. */
declare const QR_FILE: string | null
declare const OLDEST: { readonly chrome: string; readonly safari: string; readonly firefox: string }

type Texts = {
  title: string
  found: string
  needed: string
  update: string
  copy: string
  copied: string
  byHand: string
  qr: string
}

/** In the three languages of the app; no file of texts can be loaded here. */
var texts: { [tag: string]: Texts } = {
  'zh-Hant': {
    title: '這個瀏覽器太舊，無法開啟 Candela',
    found: '目前版本：',
    needed: '最低需求：',
    update:
      '在 Android 的錢包裡，請到應用程式商店更新「Android System WebView」和 Chrome；在 iPhone 上，請更新 iOS。或把下面的連結複製到較新的瀏覽器、錢包或手機開啟。',
    copy: '複製連結',
    copied: '已複製',
    byHand: '請長按連結手動複製',
    qr: '用另一部手機掃描',
  },
  'zh-Hans': {
    title: '这个浏览器版本太旧，无法打开 Candela',
    found: '当前版本：',
    needed: '最低要求：',
    update:
      '在 Android 的钱包里，请到应用商店更新“Android System WebView”和 Chrome；在 iPhone 上，请更新 iOS。也可以复制下面的链接，到较新的浏览器、钱包或手机上打开。',
    copy: '复制链接',
    copied: '已复制',
    byHand: '请长按链接手动复制',
    qr: '用另一部手机扫码',
  },
  en: {
    title: 'This browser is too old for Candela',
    found: 'Found: ',
    needed: 'Needed at least: ',
    update:
      'Inside a wallet on Android, update “Android System WebView” and Chrome in the app store; on an iPhone, update iOS. Or copy the link below and open it in a newer browser, wallet or phone.',
    copy: 'Copy link',
    copied: 'Copied',
    byHand: 'Press and hold the link to copy it',
    qr: 'Scan with another phone',
  },
}

/** The browser's own name and version, or as much as it tells. */
function versionFound(agent: string): string {
  var firefox = /(?:Firefox|FxiOS)\/(\d+)/.exec(agent)
  var chrome = /(?:Chrome|Chromium)\/(\d+)/.exec(agent)
  // Every browser of an iPhone is the system's.
  var ios = /(?:iPhone|CPU) OS (\d+)_(\d+)/.exec(agent)
  var safari = /Version\/(\d+\.\d+)/.exec(agent)
  if (ios) return 'iOS ' + ios[1] + '.' + ios[2]
  if (firefox) return 'Firefox ' + firefox[1]
  if (chrome) return (/; wv\)/.test(agent) ? 'Android WebView ' : 'Chrome ') + chrome[1]
  if (safari) return 'Safari ' + safari[1]
  return agent.slice(0, 120)
}

function add(parent: Element, name: string, text: string): HTMLElement {
  var element = document.createElement(name)
  element.appendChild(document.createTextNode(text))
  parent.appendChild(element)
  return element
}

/** Copying is said only where the browser says that it was done. */
function copyFrom(field: HTMLInputElement): boolean {
  field.focus()
  field.setSelectionRange(0, field.value.length)
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
}

function addWords(box: HTMLElement, tag: string, link: HTMLInputElement | null): void {
  var words = texts[tag]
  if (!words) return
  var part = document.createElement('div')
  part.lang = tag
  box.appendChild(part)
  add(part, 'h1', words.title).style.cssText = 'font-size:22px;line-height:1.3;margin:0 0 12px'
  add(part, 'p', words.found + versionFound(navigator.userAgent)).style.cssText = 'margin:0'
  add(
    part,
    'p',
    words.needed +
      'Chrome / Android WebView ' +
      OLDEST.chrome +
      ', Safari / iOS ' +
      OLDEST.safari +
      ', Firefox ' +
      OLDEST.firefox,
  ).style.cssText = 'margin:0 0 12px'
  add(part, 'p', words.update).style.cssText = 'margin:0 0 16px'
  if (!link) return
  part.appendChild(link)
  var button = add(part, 'button', words.copy)
  button.setAttribute('type', 'button')
  button.style.cssText =
    'display:block;width:100%;min-height:48px;margin:8px 0 16px;border:0;border-radius:24px;background:#f2b04a;color:#1f1503;font:inherit;font-weight:600'
  button.onclick = function () {
    button.firstChild!.nodeValue = copyFrom(link) ? words!.copied : words!.byHand
  }
}

function showQr(box: HTMLElement, label: string): void {
  var made = (window as unknown as { candelaQr?: (text: string, label: string) => Element | null }).candelaQr
  var picture = made ? made(location.href, label) : null
  if (picture) box.appendChild(picture)
}

function sayTooOld(): void {
  var first = document.documentElement.lang in texts ? document.documentElement.lang : 'zh-Hant'
  var box = document.createElement('div')
  box.id = 'too-old'
  box.setAttribute('role', 'alert')
  box.style.cssText =
    'max-width:480px;margin:0 auto;padding:32px 20px;background:#fff;color:#17140f;font:16px/1.5 system-ui,sans-serif;word-wrap:break-word'
  var link = document.createElement('input')
  link.readOnly = true
  link.value = location.href
  link.setAttribute('aria-label', texts[first]!.copy)
  link.style.cssText =
    'box-sizing:border-box;display:block;width:100%;min-height:48px;padding:0 12px;border:1px solid #8d8477;border-radius:10px;background:#fff;color:#17140f;font:16px monospace'
  addWords(box, first, link)
  var qr = document.createElement('div')
  qr.style.cssText = 'margin:0 0 24px'
  box.appendChild(qr)
  for (var tag in texts) if (tag !== first) addWords(box, tag, null)
  document.title = texts[first]!.title
  while (document.body.firstChild) document.body.removeChild(document.body.firstChild)
  document.body.style.cssText = 'display:block;margin:0;background:#fff'
  document.body.appendChild(box)
  if (QR_FILE === null) return
  var script = document.createElement('script')
  script.src = QR_FILE
  script.onload = function () {
    showQr(qr, texts[first]!.qr)
  }
  document.body.appendChild(script)
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', sayTooOld)
else sayTooOld()

export {}
