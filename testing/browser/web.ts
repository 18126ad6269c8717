/** The journeys take this from the web app's sources: nothing but what is needed to find its texts and its screens. */
export { catalogs } from '../../web/src/i18n/testing-catalogs.ts'
export { routes } from '../../web/src/navigation/routes.ts'
export { texts as demoWalletTexts } from '../../web/src/demo-wallet/texts.ts'
