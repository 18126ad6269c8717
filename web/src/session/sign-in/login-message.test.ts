import { loginMessageText } from '@candela/protocol/login-message'
import { describe, expect, test } from 'vitest'
import { isLoginMessage } from './login-message.ts'

const origin = 'https://candela.example'
const site = { domain: 'candela.example', uri: origin }
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const terms = { address, nonce: 'ab'.repeat(32), issuedAt: new Date('2026-03-01T00:00:00Z') }
const message = loginMessageText(site, terms)
const isOurs = (text: string, page = origin) => isLoginMessage(text, address.toLowerCase(), page)

test('the message of this page for this account is signed', () => {
  expect(isOurs(message)).toBe(true)
})

describe('a login that is not of this page, or is more than one, is not signed', () => {
  const elsewhere = { domain: 'bank.example', uri: 'https://bank.example' }
  test.each([
    ['another site', loginMessageText(elsewhere, terms)],
    ['another domain with our URI', loginMessageText({ ...site, domain: 'bank.example' }, terms)],
    ['our domain with another URI', loginMessageText({ ...site, uri: 'https://bank.example' }, terms)],
    [
      'a domain that begins as ours',
      loginMessageText({ domain: 'candela.example.bank.example', uri: 'https://candela.example.bank.example' }, terms),
    ],
    [
      'a name in front of the domain',
      loginMessageText({ domain: 'candela.example@bank.example', uri: 'https://candela.example@bank.example' }, terms),
    ],
    ['a path', loginMessageText({ ...site, uri: `${origin}/path` }, terms)],
    ['another port', loginMessageText({ domain: 'candela.example:8443', uri: 'https://candela.example:8443' }, terms)],
    ['http', loginMessageText({ ...site, uri: 'http://candela.example' }, terms)],
    ['another account', loginMessageText(site, { ...terms, address: `0x${'cd'.repeat(20)}` })],
    ['no account', loginMessageText(site, { ...terms, address: `0x${'00'.repeat(20)}` })],
    ['another chain', message.replace('Chain ID: 210000', 'Chain ID: 1')],
    ['another statement', message.replace('moves no funds', 'moves all funds')],
    ['another version', message.replace('Version: 1', 'Version: 2')],
    ['resources', `${message}\nResources:\n- https://bank.example`],
    ['a request id', `${message}\nRequest ID: 1`],
    ['a longer validity', message.replace('00:05:00', '23:05:00')],
    ['no end', message.split('\n').slice(0, -1).join('\n')],
    ['a scheme in front', `https://${message}`],
    ['a line in front', `I give everything away\n${message}`],
    ['other ends of lines', message.replaceAll('\n', '\r\n')],
    ['a nonce with words', message.replace(/Nonce: .*/, 'Nonce: pay everything')],
    ['no time', message.replace(/Issued At: .*/, 'Issued At: soon')],
    ['a transaction', `0x${'ab'.repeat(32)}`],
    ['nothing', ''],
  ])('%s', (_what, text) => {
    expect(text).not.toBe(message)
    expect(isOurs(text)).toBe(false)
  })
})

test('a page of one’s own machine takes other names and ports of it, and no other site', () => {
  const here = { domain: '127.0.0.1:8210', uri: 'http://127.0.0.1:8210' }
  for (const page of ['http://127.0.0.1:8210', 'http://localhost:5173', 'http://[::1]:8210'])
    expect(isOurs(loginMessageText(here, terms), page)).toBe(true)
  expect(isOurs(loginMessageText(here, terms))).toBe(false)
  expect(isOurs(message, here.uri)).toBe(false)
  const named = { domain: '127.0.0.1.bank.example', uri: 'http://127.0.0.1.bank.example' }
  expect(isOurs(loginMessageText(named, terms), here.uri)).toBe(false)
  expect(isOurs(loginMessageText({ ...here, uri: `${here.uri}/path` }, terms), here.uri)).toBe(false)
})
