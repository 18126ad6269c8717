import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANY_ADDRESS, issueLoginMessage, type LoginMessageTerms, readLoginMessage } from './login-message.ts'

const key = Buffer.alloc(32, 1)
const site = { domain: 'candela.example', uri: 'https://candela.example' }
const address = '0x52908400098527886e0f7030069857d2e4169ee7'
const terms: LoginMessageTerms = {
  address,
  random: Buffer.alloc(16, 0xab),
  issuedAt: new Date('2026-03-01T00:00:00Z'),
}
const message = issueLoginMessage(key, site, terms)

describe('a login message', () => {
  test('has the form of EIP-4361, and says that it moves no funds', () => {
    const lines = message.split('\n')
    const nonce = lines[8]
    expect(lines.toSpliced(8, 1)).toEqual([
      'candela.example wants you to sign in with your Ethereum account:',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '',
      'Sign in to Candela. This signature moves no funds and costs nothing.',
      '',
      'URI: https://candela.example',
      'Version: 1',
      expect.stringMatching(/^Chain ID: [0-9]+$/),
      'Issued At: 2026-03-01T00:00:00.000Z',
      'Expiration Time: 2026-03-01T00:05:00.000Z',
    ])
    expect(nonce).toMatch(/^Nonce: (?:ab){16}[0-9a-f]{32}$/)
  })

  test('is read as what it was issued for', () => {
    expect(readLoginMessage(key, message)).toEqual({
      address,
      nonce: expect.stringMatching(/^(?:ab){16}[0-9a-f]{32}$/),
      expiresAt: new Date('2026-03-01T00:05:00Z'),
    })
  })

  test('that was issued for any address names none', () => {
    const forAny = issueLoginMessage(key, site, { ...terms, address: undefined })
    expect(forAny.split('\n')[1]).toBe(ANY_ADDRESS)
    expect(readLoginMessage(key, forAny)?.address).toBeNull()
  })
})

describe('is not ours', () => {
  test('with another key', () => {
    expect(readLoginMessage(Buffer.alloc(32, 2), message)).toBeNull()
  })

  test('with any one character changed, left out or added', () => {
    const place = fc.nat({ max: message.length - 1 })
    const change = fc.string({ maxLength: 1, unit: 'binary-ascii' })
    fc.assert(
      fc.property(place, fc.nat({ max: 1 }), change, (at, removed, added) => {
        const changed = message.slice(0, at) + added + message.slice(at + removed)
        fc.pre(changed !== message)
        expect(readLoginMessage(key, changed)).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })

  test('without a nonce, or with a second one', () => {
    const nonce = /^Nonce: .*$/m.exec(message)?.[0] ?? ''
    for (const text of ['', 'hello', message.replace(`${nonce}\n`, ''), `${nonce}\n${message}`]) {
      expect(readLoginMessage(key, text)).toBeNull()
    }
  })
})
