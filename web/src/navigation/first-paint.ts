import { DEFAULT_LANGUAGE, languages } from '@candela/protocol/language'
import { HOME, type RouteMeta, routes } from './routes.ts'

/** The colour of the browser's own bars, which is that of the page. */
export const themeColors: Record<RouteMeta['theme'], string> = { dark: '#0c0b0a', light: '#ffffff' }

/**
 * A script for the page's head that decides what is painted before the app runs: the theme, as router and guard will decide it,
 * and for a visitor in the default language the words at the top of home, which the page holds (`data-visitor` shows them). It reads
 * the same hash and the same keys of the storage. The build writes it into the page; the server permits it by its hash.
 */
export function firstPaintScript(): string {
  const themeOfHome = routes[HOME].theme
  const others = Object.entries(routes).filter(([, { theme }]) => theme !== themeOfHome)
  const paths = Object.fromEntries(others.map(([path, { theme }]) => [path, theme]))
  return [
    `(function(){`,
    `var themes=${JSON.stringify(paths)},colors=${JSON.stringify(themeColors)},`,
    `path="/"+location.hash.replace(/^#/,"").split("?")[0].replace(/^\\/+|\\/+$/g,""),known=true;`,
    `var other=${JSON.stringify(languages.filter((language) => language !== DEFAULT_LANGUAGE))},lang=null,left=null;`,
    `try{known=(localStorage.getItem("token")||"")!=="";lang=localStorage.getItem("lang");left=localStorage.getItem("signedOut")}catch(error){}`,
    // Above them the app says why somebody was signed out.
    `if(!known&&other.indexOf(lang)<0&&(left===null||left==="byHand"))document.documentElement.dataset.visitor="";`,
    `var theme=known&&Object.prototype.hasOwnProperty.call(themes,path)?themes[path]:${JSON.stringify(themeOfHome)};`,
    `document.documentElement.dataset.theme=theme;`,
    `document.querySelector('meta[name="theme-color"]').setAttribute("content",colors[theme])`,
    `})()`,
  ].join('')
}

/**
 * A script that runs the app's main file, which is being loaded meanwhile, once what the page holds has been painted: else its
 * evaluation would hold up the first paint. A page in the background is painted only when somebody looks at it.
 */
export const startAfterPaintScript = (file: string): string =>
  [
    `(function(){`,
    `function run(){import(${JSON.stringify(file)})}`,
    `if(document.hidden)run();else requestAnimationFrame(function(){setTimeout(run)})`,
    `})()`,
  ].join('')
