import { expect, test } from 'vitest'
import { pairingLinks } from './pairing-links.ts'

test('each wallet app gets the connection whole, by a link of its own', () => {
  const uri = 'wc:ab12@2?relay-protocol=irn&symKey=cd34&expiryTimestamp=5'
  const links = pairingLinks(uri)
  expect(links.map(({ link }) => link.split('?')[0])).toEqual([
    'metamask://wc',
    'okex://main/wc',
    'bitkeep://wc',
    'tpoutside://wc',
    'imtokenv2://wc',
  ])
  for (const { link } of links) expect(new URL(link).searchParams.get('uri')).toBe(uri)
})
