import { DEFAULT_LANGUAGE, languageTag } from '@candela/protocol/language'
import { PAUSES_MS } from '../lib/try-again.ts'
import { HOME, type RouteMeta, routes } from './routes.ts'

/** The colour of the browser's own bars, which is that of the page. */
export const themeColors: Record<RouteMeta['theme'], string> = { dark: '#0c0b0a', light: '#ffffff' }

/** The id of what the page shows, in three languages, when the app itself could not be loaded; also the event that says so. */
const NOT_LOADED = 'not-loaded'

/** For an app that runs but did not get what it needs to show anything: the same as when its main file does not come. */
export const reportNotLoaded = (page: EventTarget): boolean => page.dispatchEvent(new Event(NOT_LOADED))

/** For an app that can show nothing any more: words, a reload, and a line with `error` for whoever is asked for help. */
export const reportBroken = (page: EventTarget, error: unknown): boolean =>
  page.dispatchEvent(new CustomEvent(NOT_LOADED, { detail: error }))

/**
 * A script for the page's head that decides what is painted before the app runs: the language, the theme, as router and guard will decide it,
 * and for a visitor in the default language the words at the top of home, which the page holds (`data-visitor` shows them). It reads
 * the same hash and the same keys of the storage. The build writes it into the page; the server permits it by its hash.
 */
export function firstPaintScript(): string {
  const themeOfHome = routes[HOME].theme
  const otherRoutes = Object.entries(routes).filter(([, { theme }]) => theme !== themeOfHome)
  const paths = Object.fromEntries(otherRoutes.map(([path, { theme }]) => [path, theme]))
  const { [DEFAULT_LANGUAGE]: _, ...others } = languageTag
  return [
    `(function(){`,
    `var themes=${JSON.stringify(paths)},colors=${JSON.stringify(themeColors)},`,
    `path="/"+location.hash.replace(/^#/,"").split("?")[0].split("/").filter(Boolean).join("/"),known=true;`,
    `var other=${JSON.stringify(others)},lang=null,left=null;`,
    `try{known=(localStorage.getItem("token")||"")!=="";lang=localStorage.getItem("lang");left=localStorage.getItem("signedOut")}catch(error){}`,
    `var tag=Object.prototype.hasOwnProperty.call(other,lang)?other[lang]:null;`,
    `if(tag!==null)document.documentElement.lang=tag;`,
    // Above them the app says why somebody was signed out.
    `if(!known&&tag===null&&(left===null||left==="byHand"))document.documentElement.dataset.visitor="";`,
    `var theme=known&&Object.prototype.hasOwnProperty.call(themes,path)?themes[path]:${JSON.stringify(themeOfHome)};`,
    `document.documentElement.dataset.theme=theme;`,
    `document.querySelector('meta[name="theme-color"]').setAttribute("content",colors[theme])`,
    `})()`,
  ].join('')
}

/**
 * The page's first script, under `require-trusted-types-for 'script'`: no text becomes a script, and only files of our own origin are
 * loaded as one, such as the service worker. Markup is let through: the app writes none, its scripts could not run, and wallets
 * draw their windows with it in the page.
 */
export const trustedTypesScript = (): string =>
  [
    `(function(){try{trustedTypes.createPolicy("default",{createHTML:function(html){return html},`,
    `createScriptURL:function(url){return new URL(url,location.href).origin===location.origin?url:null}})}catch(error){}})()`,
  ].join('')

/** On the root of a page whose browser is too old for the app. */
const OLD = 'data-old'

/**
 * A script, in the language of 2009, that looks whether the browser has what those of `web/browsers.ts` have. In one that is too old it loads
 * `file`, which says so, and the app is left alone.
 */
export const oldBrowserScript = (file: string): string =>
  [
    `(function(){`,
    // Chrome 87 was the first with "inset", Safari 15.4 and Firefox 98 with dialogs.
    `try{if(CSS.supports("inset","0")&&HTMLDialogElement.prototype.showModal&&WeakRef&&BigInt)return}catch(error){}`,
    `var root=document.documentElement,script=document.createElement("script");`,
    `root.setAttribute(${JSON.stringify(OLD)},"");`,
    `script.src=${JSON.stringify(file)};root.firstChild.appendChild(script)`,
    `})()`,
  ].join('')

/** True in a page where everything is there that `browser/missing.ts` can add. */
const HAS_ALL =
  '[].at&&[].toSorted&&Object.hasOwn&&Promise.withResolvers&&crypto.randomUUID&&AbortSignal.prototype.throwIfAborted'

/**
 * A script that runs the app's main file, which is being loaded meanwhile, once what the page holds has been painted: else its
 * evaluation would hold up the first paint. A page in the background is painted only when somebody looks at it. A file that does not
 * come is asked for again. Many browsers remember that it was lost, so the page is then reloaded, once for each tab; after that, or without a connection, it says
 * that the app was not loaded, and is reloaded by a tap, or when a connection comes back. Nothing is lost by a reload: nothing ran.
 * One that comes and fails is said to be broken, with its error; likewise anything of the app that fails before it has drawn the page.
 * @param missing the file that adds what older browsers lack, loaded before
 * @param others the file that names those of every screen but home, loaded beside the main file where the address is another screen's
 */
export const startAfterPaintScript = (file: string, missing: string, others: string): string =>
  [
    `(function(){`,
    `if(document.documentElement.hasAttribute(${JSON.stringify(OLD)}))return;`,
    `var pauses=${JSON.stringify(PAUSES_MS)},note=document.getElementById(${JSON.stringify(NOT_LOADED)});`,
    `function broken(error){var line=note.querySelector("code");`,
    `line.textContent=String(error).slice(0,200)+" · ${file.replace(/^.*\//, '')} · "+navigator.userAgent;`,
    `note.setAttribute("data-broken","");note.hidden=false}`,
    // Scripts that wallets and extensions put into the page fail on their own. The message of a file that was lost names the file, so
    // it does not count.
    `function isOurs(error){return !!error&&String(error.stack).split(error.message||"\\n").join("").indexOf(location.origin+"/assets/")>=0}`,
    `function early(error){if(document.querySelector("[data-first-paint]")&&isOurs(error))broken(error)}`,
    `addEventListener("error",function(event){early(event.error)});`,
    `addEventListener("unhandledrejection",function(event){early(event.reason)});`,
    `function reload(){location.reload()}`,
    `note.onclick=function(event){if(event.target.tagName==="BUTTON")reload()};`,
    // Forbidden storage: nobody knows whether the page has been reloaded, so it is left to its reader.
    `function lost(){try{if(navigator.onLine&&!sessionStorage.getItem("reloaded")){sessionStorage.setItem("reloaded","1");return reload()}}catch(error){}`,
    `note.hidden=false;addEventListener("online",reload)}`,
    `addEventListener(${JSON.stringify(NOT_LOADED)},function(event){if(event.detail)broken(event.detail);else lost()});`,
    `function load(){return ${HAS_ALL}?import(${JSON.stringify(file)}):import(${JSON.stringify(missing)}).then(function(){return import(${JSON.stringify(file)})})}`,
    `if(location.hash&&location.hash.indexOf("#/index")){var link=document.createElement("link");`,
    `link.rel="modulepreload";link.href=${JSON.stringify(others)};document.head.appendChild(link)}`,
    `function run(){load().catch(function(error){`,
    `if(error instanceof SyntaxError||isOurs(error))return broken(error);`,
    `if(pauses.length)return setTimeout(run,pauses.shift());`,
    `lost();throw error})}`,
    `if(document.hidden)run();else requestAnimationFrame(function(){setTimeout(run)})`,
    `})()`,
  ].join('')
