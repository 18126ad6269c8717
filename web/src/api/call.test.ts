import { codes } from '@candela/protocol/codes/codes'
import { languages } from '@candela/protocol/language'
import type { Language } from '@candela/protocol/language'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { call, replaceTransport, wireApi } from './call.ts'
import { ApiError, TransportError } from '@candela/client/errors'
import type { Outgoing } from '@candela/client/transport'

const wiring = {
  token: () => 'token',
  language: (): Language => 'tw',
  sessionEnded: vi.fn(),
  notify: vi.fn(),
  describe: (problem: string) => `described ${problem}`,
}

const answer = (code: number, message: string, data: unknown = null) =>
  replaceTransport(() => Promise.resolve({ code, message, data } as never))

beforeEach(() => {
  vi.clearAllMocks()
  wireApi(wiring)
})

describe('call', () => {
  test('sends texts, the token and the language in capitals, and answers with the data', async () => {
    const sent: Outgoing[] = []
    replaceTransport((outgoing) => {
      sent.push(outgoing)
      return Promise.resolve({ code: 200, message: '', data: { isRegister: true } })
    })
    expect(await call('POST auth/isRegister', { address: '0xabc' })).toEqual({ isRegister: true })
    expect(sent[0]).toMatchObject({ fields: { address: '0xabc' }, token: 'token', lang: 'TW' })
    await call('GET auth/loginMessage', { address: undefined })
    expect(sent[1]?.fields).toEqual({})
  })

  test('a code other than 200 is shown and rejected', async () => {
    answer(4206, '庫存不足')
    await expect(call('GET user/info', {})).rejects.toEqual(expect.objectContaining({ name: 'ApiError', code: 4206 }))
    expect(wiring.notify).toHaveBeenCalledWith('庫存不足', 4206)
  })

  test('a code that the caller shows in place is only rejected', async () => {
    answer(4003, 'unknown code')
    await expect(call('GET user/info', {}, { handled: [4003] })).rejects.toBeInstanceOf(ApiError)
    expect(wiring.notify).not.toHaveBeenCalled()
  })

  test.each([null, undefined, ''])('an answer whose data is %j is no answer', async (data) => {
    replaceTransport(() => Promise.resolve({ code: 200, message: '', data }))
    await expect(call('GET user/info', {})).rejects.toMatchObject({ name: 'TransportError', problem: 'abnormal' })
    expect(wiring.notify).toHaveBeenCalledWith('described abnormal')
  })

  test('401 ends the session, unless another one has begun meanwhile', async () => {
    answer(401, 'over')
    await expect(call('GET user/info', {})).rejects.toBeInstanceOf(ApiError)
    expect(wiring.sessionEnded).toHaveBeenCalledOnce()
    let token = 'old'
    wireApi({ ...wiring, token: () => token })
    replaceTransport(() => {
      token = 'new'
      return Promise.resolve({ code: 401, message: 'over', data: null })
    })
    await expect(call('GET user/info', {})).rejects.toBeInstanceOf(ApiError)
    expect(wiring.sessionEnded).toHaveBeenCalledOnce()
  })

  test('says in the language of the person that no answer came', async () => {
    replaceTransport(() => Promise.reject(new TransportError('timeout', 'too long')))
    await expect(call('GET user/info', {})).rejects.toBeInstanceOf(TransportError)
    expect(wiring.notify).toHaveBeenCalledWith('described timeout')
    await expect(call('GET user/info', {}, { transportInPlace: true })).rejects.toBeInstanceOf(TransportError)
    expect(wiring.notify).toHaveBeenCalledOnce()
  })

  test('what is thrown while an answer is being handled is said in words; the console has the error', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    wireApi({
      ...wiring,
      sessionEnded: () => {
        throw new Error('the storage is full')
      },
    })
    answer(401, 'over')
    await expect(call('GET user/info', {})).rejects.toThrow('the storage is full')
    expect(wiring.notify).toHaveBeenCalledWith('described request')
    expect(logged).toHaveBeenCalledWith(new Error('the storage is full'))
    logged.mockRestore()
  })

  test('what the caller gave up is not told to anybody', async () => {
    const caller = new AbortController()
    replaceTransport(() => {
      caller.abort()
      return Promise.reject(new DOMException('gone', 'AbortError'))
    })
    await expect(call('GET user/info', {}, { signal: caller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    replaceTransport(() => Promise.reject(new TransportError('connect', 'broken off')))
    await expect(call('GET user/info', {}, { signal: caller.signal })).rejects.toBeInstanceOf(TransportError)
    expect(wiring.notify).not.toHaveBeenCalled()
  })

  test('the same command is not sent a second time while it is under way; afterwards it is', async () => {
    const transport = vi.fn(() => Promise.resolve({ code: 200 as const, message: '', data: { isRegister: true } }))
    replaceTransport(transport)
    const first = call('POST auth/isRegister', { address: '0xabc' })
    await expect(call('POST auth/isRegister', { address: '0xabc' })).rejects.toMatchObject({ problem: 'repeated' })
    await call('POST auth/isRegister', { address: '0xdef' })
    await first
    await call('POST auth/isRegister', { address: '0xabc' })
    expect(transport).toHaveBeenCalledTimes(3)
  })
})

const shown = async (language: Language, given: object): Promise<unknown> => {
  wiring.notify.mockClear()
  wireApi({ ...wiring, language: () => language })
  replaceTransport(() => Promise.resolve(given as never))
  await expect(call('GET user/info', {})).rejects.toBeInstanceOf(ApiError)
  expect(wiring.notify).toHaveBeenCalledOnce()
  return wiring.notify.mock.calls[0]?.[0]
}

describe('an answer without a message', () => {
  test('4001 says that too many devices are signed in', async () => {
    expect(await shown('zh', { code: 4001 })).toBe('登录设备数量超过限制')
    expect(await shown('tw', { code: 4001, message: '', data: null })).toBe('登入裝置數量超過上限')
    expect(await shown('en', { code: 4001, message: ' ', data: null })).toBe('Your signed-in devices exceed the limit')
    expect(await shown('en', { code: 4001, message: null })).toBe('Your signed-in devices exceed the limit')
  })

  test('every code of the table has words of its own in every language', async () => {
    const refusals = Object.values(codes).filter((code) => code !== codes.ok)
    for (const language of languages) {
      const said = new Set<unknown>()
      for (const code of refusals) said.add(await shown(language, { code, message: '' }))
      expect(said.size).toBe(refusals.length)
      for (const text of said) expect(text).toMatch(/^[^{}[\]]{4,}$/)
    }
  })

  test('a code that nobody knows is a failed request', async () => {
    expect(await shown('en', { code: 4999 })).toBe('described request')
    expect(await shown('en', { code: 4999, message: 'What the server says' })).toBe('What the server says')
  })
})
