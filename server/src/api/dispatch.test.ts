import { codes } from '@candela/protocol/codes/codes'
import type { Key } from '@candela/protocol/endpoints'
import { languages } from '@candela/protocol/language'
import { describe, expect, test } from 'vitest'
import { AppError } from '../kernel/errors.ts'
import type { SessionContext } from '../kernel/handler.ts'
import { keptLog } from '@candela/testing/server/kept-log'
import type { Caller } from './dispatch.ts'
import { createTestDispatch, TEST_TOKEN } from './testing/test-dispatch.ts'

const caller = (changes: Partial<Caller> = {}): Caller => ({
  lang: 'en',
  token: undefined,
  clientAddress: '10.0.0.1',
  userAgent: 'test',
  ...changes,
})
const address = `0x${'ab'.repeat(20)}`

describe('a call', () => {
  test('gives the handler parsed input and what is known of the call', async () => {
    let context: SessionContext | undefined
    const { dispatch, clock } = createTestDispatch({
      handlers: {
        'GET user/zhiList': async (input, given) => {
          expect(input).toEqual({ limit: 20 })
          context = given
          return { items: [], nextCursor: null }
        },
      },
    })
    const body = await dispatch('GET user/zhiList', { limit: '20', other: 'ignored' }, caller({ token: TEST_TOKEN }))
    expect(body).toEqual({ code: 200, message: 'OK', data: { items: [], nextCursor: null } })
    expect(context).toEqual({
      lang: 'en',
      callId: 'call-1',
      now: clock.now(),
      clientAddress: '10.0.0.1',
      userAgent: 'test',
      memberId: 7n,
      sessionId: 'session-7',
    })
  })

  test('without a live session is 401 before its input is looked at', async () => {
    const { dispatch } = createTestDispatch()
    for (const token of [undefined, 'X'.repeat(43)]) {
      expect((await dispatch('GET user/zhiList', { limit: '0' }, caller({ token }))).code).toBe(401)
    }
  })

  test('with bad input is 400 and names the field in the language of the call', async () => {
    const { dispatch } = createTestDispatch()
    const messages = await Promise.all(
      languages.map((lang) => dispatch('POST auth/isRegister', { address: '0x1' }, caller({ lang }))),
    )
    expect(messages.map(({ message }) => message)).toEqual([
      '钱包地址无效，应以 0x 开头，共 42 个字符',
      '錢包地址無效，須以 0x 開頭，共 42 個字元',
      'Wallet address is not valid: it starts with 0x and has 42 characters',
    ])
    for (const rawInput of [undefined, null, 'text', [], {}, { address: [address, address] }]) {
      expect((await dispatch('POST auth/isRegister', rawInput, caller())).code).toBe(400)
    }
  })

  test('refused by its handler gets the code and a filled message', async () => {
    const { dispatch } = createTestDispatch({
      handlers: { 'POST auth/login': () => Promise.reject(new AppError(codes.deviceLimit, { limit: 3 })) },
    })
    const input = { address, message: 'm', sign_message: '0x00' }
    expect(await dispatch('POST auth/login', input, caller())).toEqual({
      code: 4001,
      message: 'Your signed-in devices exceed the limit (at most 3)',
      data: null,
    })
  })

  test('that fails is 500 without the reason; the reference in it finds the log line with the reason', async () => {
    const { lines, log } = keptLog('trace')
    const { dispatch } = createTestDispatch({
      log,
      handlers: { 'POST auth/isRegister': () => Promise.reject(new Error('relation "member" does not exist')) },
    })
    const body = await dispatch('POST auth/isRegister', { address }, caller())
    expect(body).toEqual({
      code: 500,
      message: 'Something went wrong on our side. Your money is safe; please try again (reference call-1)',
      data: null,
    })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      route: 'POST auth/isRegister',
      code: 500,
      callId: 'call-1',
      err: { message: 'relation "member" does not exist' },
    })
  })

  test('whose handler breaks the table is 500 outside of production', async () => {
    const { dispatch } = createTestDispatch({
      handlers: { 'POST auth/isRegister': async () => ({ isRegister: 'yes' as unknown as boolean }) },
    })
    expect((await dispatch('POST auth/isRegister', { address }, caller())).code).toBe(500)
  })

  test('is logged in one line and counted, with neither token nor signature nor message', async () => {
    const { lines, log } = keptLog('trace')
    const { dispatch, metrics } = createTestDispatch({
      log,
      handlers: {
        'POST auth/login': async () => ({ token: 'S'.repeat(43) }),
        'POST auth/logout': async () => ({}),
      },
    })
    const input = { address, message: 'please sign this', sign_message: `0x${'5e'.repeat(65)}` }
    await dispatch('POST auth/login', input, caller())
    await dispatch('POST auth/logout', {}, caller({ token: TEST_TOKEN }))
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      event: 'call.answered',
      route: 'POST auth/logout',
      code: 200,
      callId: 'call-2',
      memberId: '7',
      clientAddress: '10.0.0.1',
    })
    expect(JSON.parse(lines[1] ?? '')).toHaveProperty('durationMs')
    for (const secret of [TEST_TOKEN, 'S'.repeat(43), '5e5e5e5e', 'please sign this']) {
      expect(lines.join('')).not.toContain(secret)
    }
    const text = await metrics.text()
    expect(text).toContain('candela_call_seconds_count{route="POST auth/login",code="200"} 1')
    expect(text).toContain('candela_call_seconds_count{route="POST auth/logout",code="200"} 1')
  })
})

test('what is refused is logged too: how, where and from whom', async () => {
  const { lines, log } = keptLog('trace')
  const { dispatch } = createTestDispatch({
    log,
    handlers: { 'POST auth/login': () => Promise.reject(new AppError(codes.signatureWrong)) },
  })
  await dispatch('GET user/zhiList', {}, caller({ token: 'X'.repeat(43) }))
  await dispatch('POST auth/isRegister', { address: 'nonsense' }, caller())
  const input = { address, message: 'please sign this', sign_message: `0x${'5e'.repeat(65)}` }
  await dispatch('POST auth/login', input, caller({ clientAddress: '10.0.0.9' }))
  for (let sent = 0; sent < 60; sent++) await dispatch('POST auth/isRegister', { address: 'x' }, caller())
  const seen = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(seen.slice(0, 3)).toMatchObject([
    { route: 'GET user/zhiList', code: 401, clientAddress: '10.0.0.1', time: expect.any(Number) },
    { route: 'POST auth/isRegister', code: 400 },
    { route: 'POST auth/login', code: 4005, clientAddress: '10.0.0.9' },
  ])
  expect(seen.at(-1)).toMatchObject({ route: 'POST auth/isRegister', code: 429, clientAddress: '10.0.0.1' })
  expect(new Set(seen.map(({ callId }) => callId)).size).toBe(63)
})

describe('limits', () => {
  test('stop a client address at signing in, while others and other routes go on', async () => {
    const { dispatch, clock } = createTestDispatch({
      handlers: { 'POST auth/isRegister': async () => ({ isRegister: false }) },
    })
    const ask = (changes: Partial<Caller> = {}) => dispatch('POST auth/isRegister', { address }, caller(changes))
    const codesSeen: number[] = []
    for (let sent = 0; sent < 70; sent++) codesSeen.push((await ask()).code)
    expect(codesSeen.filter((code) => code === 200)).toHaveLength(60)
    expect(await ask()).toEqual({ code: 429, message: 'Too many requests. Try again in 1 s', data: null })
    expect((await ask({ clientAddress: '10.0.0.2' })).code).toBe(200)
    expect((await dispatch('GET home/public', {}, caller())).code).toBe(404)
    clock.advance(1_000)
    expect((await ask()).code).toBe(200)
    expect((await ask()).code).toBe(429)
  })

  test('follow an account over its addresses', async () => {
    const { dispatch } = createTestDispatch({
      handlers: { 'GET user/zhiList': async () => ({ items: [], nextCursor: null }) },
    })
    const seen: number[] = []
    for (let sent = 0; sent < 200; sent++) {
      const clientAddress = `10.0.${sent}.1`
      seen.push((await dispatch('GET user/zhiList', {}, caller({ token: TEST_TOKEN, clientAddress }))).code)
    }
    expect(seen.filter((code) => code === 200)).toHaveLength(150)
    expect(seen.filter((code) => code === 429)).toHaveLength(50)
  })

  test('wrong tokens are counted before they are looked up', async () => {
    const { dispatch } = createTestDispatch()
    const seen: number[] = []
    for (let sent = 0; sent < 310; sent++) {
      seen.push((await dispatch('GET user/zhiList', {}, caller({ token: 'X'.repeat(43) }))).code)
    }
    expect(seen.filter((code) => code === 401)).toHaveLength(300)
    expect(seen.filter((code) => code === 429)).toHaveLength(10)
  })
})

describe('in exit mode', () => {
  const transfer = 'POST transfer/index'
  const input = {
    to: address,
    asset: 'USDT',
    amount: '5',
    requestId: '01890a5d-ac96-774b-bcce-b302099a8057',
    deadline: '2026-03-01T12:05:00.000Z',
    signature: `0x${'1'.repeat(130)}`,
  }

  test('no money command is done, whichever it is, and everything else is answered', async () => {
    const called: string[] = []
    const handlers = {
      [transfer]: async () => {
        called.push(transfer)
        throw new AppError(codes.recipientUnknown)
      },
      'GET user/zhiList': async () => ({ items: [], nextCursor: null }),
    }
    const ask = async (isExited: boolean, key: Key, sent: unknown) =>
      (await createTestDispatch({ handlers, isExited }).dispatch(key, sent, caller({ token: TEST_TOKEN }))).code
    expect(await ask(false, transfer, input)).toBe(codes.recipientUnknown)
    expect(called).toHaveLength(1)
    expect(await ask(true, transfer, input)).toBe(codes.exitMode)
    expect(called).toHaveLength(1)
    expect(await ask(true, 'GET user/zhiList', {})).toBe(200)
    // The outcome of an earlier command can be asked.
    expect(await ask(true, 'GET command/outcome', { requestId: input.requestId })).toBe(404)
  })
})
