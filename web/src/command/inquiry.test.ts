import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, TransportError } from '@candela/client/errors'
import { createInquiry, type Ended, type InquiryDeps } from './inquiry.ts'
import type { PendingCommand } from './pending-commands.ts'

const command: PendingCommand = {
  account: '0xaa',
  key: 'POST a/b',
  about: {},
  input: { amount: '5' },
  requestId: 'id',
  at: 0,
}
const lost = () => Promise.reject(new TransportError('timeout', 'lost'))
const refused = (code: number) => () => Promise.reject(new ApiError(code, `said ${code}`))
type State = Awaited<ReturnType<InquiryDeps['outcome']>>['state']
const is = (state: State) => () => Promise.resolve({ state, at: null, result: null })
const answer = () => Promise.resolve({ loan: 1 } as never)

let asked: string[]
let forgotten: string[]
let outcomes: InquiryDeps['outcome'][]
let givings: InquiryDeps['giveUp'][]
let answers: InquiryDeps['send'][]
let wake: (() => void) | null
beforeEach(() => {
  asked = []
  forgotten = []
  outcomes = []
  givings = []
  answers = []
  wake = null
})

const open = () =>
  createInquiry({
    pending: { forget: ({ requestId }) => void forgotten.push(requestId) },
    outcome: (id) => (asked.push(`outcome ${id}`), (outcomes.shift() ?? lost)(id)),
    giveUp: (id) => (asked.push(`giveUp ${id}`), (givings.shift() ?? lost)(id)),
    send: (sent) => (asked.push(`send ${sent.requestId} ${sent.input['amount']}`), (answers.shift() ?? lost)(sent)),
    later: (act) => {
      wake = act
      return () => (wake = null)
    },
  })

/** Shows the command, and waits until what was begun has come to rest. */
async function start() {
  const inquiry = open()
  let ended: Ended | null = null
  void inquiry.inquire(command).then((how) => (ended = how))
  const rest = async () => {
    await expect.poll(() => inquiry.shown.get()?.act ?? null).toBeNull()
    await Promise.resolve()
  }
  await rest()
  return { ...inquiry, rest, known: () => inquiry.shown.get()?.known, ended: () => ended }
}

describe('a command without an answer', () => {
  test('that was done is sent again for its whole answer', async () => {
    outcomes = [is('done')]
    answers = [answer]
    const inquiry = await start()
    expect(inquiry.ended()).toEqual({ kind: 'done', data: { loan: 1 } })
    expect([asked, forgotten]).toEqual([['outcome id', 'send id 5'], ['id']])
    expect(inquiry.shown.get()).toBeNull()
  })

  test('that was done is done, whatever comes of asking for its answer', async () => {
    for (const instead of [lost, refused(5032), refused(500)]) {
      outcomes = [is('done')]
      answers = [instead]
      expect((await start()).ended()).toEqual({ kind: 'done', data: null })
    }
  })

  test('is looked for until the service answers, and never sent by itself', async () => {
    outcomes = [lost, refused(500), refused(429), is('unknown'), is('underWay'), is('done')]
    answers = [answer]
    const inquiry = await start()
    const known = [inquiry.known()]
    for (let turn = 0; turn < 4; turn += 1) {
      wake?.()
      await inquiry.rest()
      known.push(inquiry.known())
    }
    expect(known).toEqual(['looking', 'looking', 'looking', 'unknown', 'underWay'])
    expect([asked.every((what) => what === 'outcome id'), forgotten]).toEqual([true, []])
    wake?.()
    await inquiry.rest()
    expect(inquiry.ended()).toMatchObject({ kind: 'done' })
  })

  test('that is given up ends, or is done when it was faster, or goes on while it is being done', async () => {
    for (const [answered, ends] of [
      ['givenUp', { kind: 'givenUp' }],
      ['done', { kind: 'done', data: null }],
    ] as const) {
      outcomes = [is('unknown')]
      givings = [lost, is('underWay'), is(answered)]
      const inquiry = await start()
      for (const left of [2, 1]) {
        inquiry.giveUp()
        await inquiry.rest()
        expect([inquiry.ended(), givings.length]).toEqual([null, left])
      }
      inquiry.giveUp()
      await inquiry.rest()
      expect(inquiry.ended()).toEqual(ends)
    }
  })

  test('that is refused when it is sent again is given up, because what was sent first may still arrive', async () => {
    outcomes = [is('unknown')]
    answers = [refused(4204)]
    givings = [is('givenUp')]
    const inquiry = await start()
    inquiry.sendAgain()
    await inquiry.rest()
    expect(inquiry.ended()).toMatchObject({ kind: 'refused', error: { code: 4204 } })
    expect(asked).toEqual(['outcome id', 'send id 5', 'giveUp id'])
  })

  test('that is refused when it is sent again and was done meanwhile is done', async () => {
    outcomes = [is('unknown')]
    answers = [refused(5032), answer]
    givings = [is('done')]
    const inquiry = await start()
    inquiry.sendAgain()
    await inquiry.rest()
    expect(inquiry.ended()).toEqual({ kind: 'done', data: { loan: 1 } })
  })

  test('whose answer is lost once more is looked for again', async () => {
    outcomes = [is('unknown')]
    const inquiry = await start()
    inquiry.sendAgain()
    await inquiry.rest()
    expect([inquiry.ended(), inquiry.known(), forgotten]).toEqual([null, 'looking', []])
  })

  test('that the service does not do any more is over', async () => {
    outcomes = [refused(4091)]
    expect((await start()).ended()).toMatchObject({ kind: 'refused', error: { code: 4091 } })
    expect(forgotten).toEqual(['id'])
  })

  test('that is closed is kept; what comes afterwards is still noted, and shows nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<InquiryDeps['outcome']>>>()
    outcomes = [() => promise]
    answers = [answer]
    const inquiry = open()
    const ended = inquiry.inquire(command)
    inquiry.close()
    expect(await ended).toEqual({ kind: 'left' })
    expect(forgotten).toEqual([])
    resolve({ state: 'done', at: null, result: null })
    await expect.poll(() => forgotten).toEqual(['id'])
    expect(inquiry.shown.get()).toBeNull()
  })

  test('gives way to another one', async () => {
    outcomes = [is('unknown'), is('unknown')]
    const inquiry = await start()
    void inquiry.inquire({ ...command, requestId: 'other' })
    await inquiry.rest()
    expect(inquiry.ended()).toEqual({ kind: 'left' })
    expect(inquiry.shown.get()?.command.requestId).toBe('other')
  })
})

test('a tap while it is being looked is not lost', async () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<InquiryDeps['outcome']>>>()
  outcomes = [is('unknown'), () => promise]
  givings = [is('givenUp')]
  const inquiry = await start()
  wake?.()
  inquiry.giveUp()
  resolve({ state: 'unknown', at: null, result: null })
  await expect.poll(inquiry.ended).toEqual({ kind: 'givenUp' })
  expect(asked).toEqual(['outcome id', 'outcome id', 'giveUp id'])
})

test('of two that look quietly at the same time one says it', async () => {
  const inquiry = open()
  outcomes = [is('givenUp'), is('givenUp')]
  expect(await Promise.all([inquiry.lookQuietly(command), inquiry.lookQuietly(command)])).toEqual([
    { kind: 'givenUp' },
    null,
  ])
  expect([asked, forgotten]).toEqual([['outcome id'], ['id']])
})

test('looking quietly says what is certain, and shows nothing', async () => {
  const inquiry = open()
  outcomes = [is('unknown'), lost, is('givenUp')]
  expect(await inquiry.lookQuietly(command)).toBeNull()
  expect(await inquiry.lookQuietly(command)).toBeNull()
  expect(forgotten).toEqual([])
  expect(await inquiry.lookQuietly(command)).toEqual({ kind: 'givenUp' })
  expect([inquiry.shown.get(), forgotten]).toEqual([null, ['id']])
})
