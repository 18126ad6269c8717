import { HANDSHAKE_ALPHABET } from '@candela/protocol/envelope/envelope'
import { envelopeForm, innerRequest } from '@candela/protocol/envelope/envelope-schema'
import { decrypt, encrypt, sealForm } from '@candela/protocol/envelope/testing-envelope'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '@candela/protocol/testing-any-text'
import { makeHandshake, open, seal } from './envelope.ts'

const handshake = 'K3yForOneRequest'
const inner = {
  method: 'POST' as const,
  url: '/api/v1/auth/login',
  data: { code: '邀請碼 ABC', empty: '' },
  headers: { Authorization: 'tokentoken', LANG: 'TW' },
}

describe('sealing', () => {
  test('gives the known answer of Node’s own cipher and MAC', async () => {
    const form = await seal(inner, handshake, 1_795_000_000_123)
    expect(form).toEqual(sealForm(inner, 1_795_000_000_123, handshake))
  })

  test('makes what the gateway takes', async () => {
    const form = envelopeForm.parse(await seal(inner, makeHandshake(), 1_795_000_000_123))
    expect(innerRequest.parse(JSON.parse(decrypt(form.data, form.handshake)))).toEqual(inner)
  })

  test('any text of any length comes through whole', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(300), async (text) => {
        const form = await seal({ method: 'POST', url: '/x', data: { text } }, handshake, 1_795_000_000_123)
        return (
          (JSON.parse(decrypt(form.data, handshake)) as typeof inner & { data: { text: string } }).data.text === text
        )
      }),
      { numRuns: 30 },
    )
  })
})

describe('opening', () => {
  test('reads what Node sealed', () => {
    const body = { code: 200, message: '完成', data: { token: 'x' } }
    expect(open(`${encrypt(JSON.stringify(body), handshake)}\n`, handshake)).toEqual(body)
  })

  test('refuses a reply to another handshake', () => {
    const sealed = encrypt(JSON.stringify({ code: 200, message: '', data: {} }), handshake)
    expect(() => open(sealed, 'AnotherHandshake')).toThrow()
  })
})

describe('handshakes', () => {
  test('are 16 characters of the alphabet, and no byte favours its first letters', () => {
    const bytes = [250, 255, 248, ...Array.from({ length: 29 }, (_, index) => index)]
    const made = makeHandshake((count) => Uint8Array.from(bytes.splice(0, count)))
    expect(made).toBe(HANDSHAKE_ALPHABET.slice(0, 16))
  })

  test('differ', () => {
    const many = new Set(Array.from({ length: 200 }, () => makeHandshake()))
    expect(many.size).toBe(200)
    for (const one of many) expect(one).toMatch(/^[A-Za-z0-9]{16}$/)
  })
})
