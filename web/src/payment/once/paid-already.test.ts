import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { locale } from '../../i18n/language.ts'
import { catalogs } from '../../i18n/testing-catalogs.ts'
import { translator } from '../../i18n/translate.ts'
import { isPerhapsPaid } from './paid-already.ts'

const { readSentCounts, showToast } = vi.hoisted(() => ({ readSentCounts: vi.fn(), showToast: vi.fn() }))
vi.mock('../../wallet/wallet.ts', () => ({ readSentCounts }))
vi.mock('../../ui/overlay/toast.tsx', () => ({ showToast }))

const { en } = catalogs
const payer = '0x00000000000000000000000000000000000000aa'
const asked = { reference: 'DEP1', at: 0, nonce: 3 }

beforeAll(() => locale.set({ language: 'en', t: translator(en) }))
beforeEach(() => {
  showToast.mockReset()
  readSentCounts.mockResolvedValue({ latest: 3, pending: 3 })
})

test('what the service knows to be paid is not paid again', async () => {
  const again = { isOpen: () => Promise.resolve(false), payAnyway: vi.fn() }
  expect(await isPerhapsPaid(again, payer, null)).toBe(true)
  expect(showToast).toHaveBeenCalledWith('plain', en['pay.alreadyPaid'], { stays: true })
})

test('what the chain leaves open is asked about, and can be paid all the same', async () => {
  const payAnyway = vi.fn()
  readSentCounts.mockResolvedValue({ latest: 4, pending: 4 })
  expect(await isPerhapsPaid({ isOpen: () => Promise.resolve(true), payAnyway }, payer, asked)).toBe(true)
  const [, text, { action }] = showToast.mock.calls[0] as [string, string, { action: { run: () => void } }]
  expect(text).toBe(en['pay.doubt.sentSince'])
  action.run()
  expect(payAnyway).toHaveBeenCalledOnce()
})

test('where neither speaks for it, and where neither can be asked, it goes to the wallet', async () => {
  const payAnyway = vi.fn()
  expect(await isPerhapsPaid({ isOpen: () => Promise.resolve(true), payAnyway }, payer, null)).toBe(false)
  readSentCounts.mockRejectedValue(new Error('no wallet'))
  expect(await isPerhapsPaid({ isOpen: () => Promise.reject(new Error('offline')), payAnyway }, payer, null)).toBe(
    false,
  )
  expect(showToast).not.toHaveBeenCalled()
})
