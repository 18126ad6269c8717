/**
 * A wallet for people who have none, on the development chain only: it announces itself by EIP-6963 like any other.
 * Only the `devnet` build imports this folder; no byte of it is in a production build.
 */
import { DEFAULT_LANGUAGE, type Language, languages, languageTag } from '@candela/protocol/language'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import { connectChain } from './chain.ts'
import { askPerson, openWallet } from './decisions.ts'
import { createDemoProvider, type Memory } from './provider.ts'
import { el } from './sheet.ts'
import { texts } from './texts.ts'

const STORAGE_KEY = 'demo-wallet'

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#17130d"/>' +
      '<path d="M16 5c3 4 6 6.500 6 11a6 6 0 0 1-12 0c0-2 .8-3.500 2-5 .4 2 1.200 3 2.200 3.500C13.800 11 14 8 16 5z" fill="#f0a63c"/></svg>',
  )

const info = {
  uuid: '5b8f4f0e-6d0c-4c57-9d43-2a4c1f0a7e21',
  name: 'Demo wallet',
  icon,
  rdns: 'dev.candela.demo-wallet',
}

/** `network` says where the chain is; it is asked for when the chain is first needed. */
export function startDemoWallet({ network }: { network: () => Promise<NetworkConfig> }): void {
  const wallet = createDemoProvider(askPerson(pageLanguage), memory, async () => connectChain(await network()))
  const { window: own, ...provider } = wallet
  const detail = Object.freeze({ info, provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()

  const tab = el('button', { type: 'button', class: 'dw-tab' }, el('img', { src: icon, alt: '' }))
  const show = () => {
    tab.setAttribute('aria-label', texts[pageLanguage()].open)
    tab.hidden = !own.isConnected()
  }
  tab.addEventListener('click', () => void openWallet(own, pageLanguage))
  provider.on('accountsChanged', show)
  document.body.append(tab)
  show()
}

/** In the language of the page, so that both change together. */
function pageLanguage(): Language {
  const tag = document.documentElement.lang
  return languages.find((language) => languageTag[language] === tag) ?? DEFAULT_LANGUAGE
}

const memory: Memory = {
  load() {
    const [address, allowed] = localStorage.getItem(STORAGE_KEY)?.split(' ') ?? []
    return address === undefined ? null : { address, allowed: allowed === 'connected' }
  },
  save: (address, allowed) => localStorage.setItem(STORAGE_KEY, `${address} ${allowed ? 'connected' : 'idle'}`),
}
