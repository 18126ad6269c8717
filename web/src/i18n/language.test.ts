import { languages, type Language } from '@candela/protocol/language'
import { beforeEach, expect, test, vi } from 'vitest'
import type { TextLoaders } from './language.ts'
import type { MessageKey } from './translate.ts'

let { startLanguage, setLanguage, loadTexts, locale } = await import('./language.ts')

beforeEach(async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  ;({ startLanguage, setLanguage, loadTexts, locale } = await import('./language.ts'))
})

/** Texts with one row, which says the language; they arrive when the test lets them. */
function heldTexts(key: MessageKey) {
  const asked: { language: Language; arrive: () => void; fail: (error: Error) => void }[] = []
  const load = (language: Language) => async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    asked.push({ language, arrive: resolve, fail: reject })
    await promise
    return { texts: { [key]: `${key} ${language}` } }
  }
  const loaders = Object.fromEntries(languages.map((each) => [each, load(each)])) as TextLoaders
  return { loaders, asked, next: () => vi.waitFor(() => asked.shift() ?? expect.fail('nothing was asked for')) }
}

const textsAtHand = (key: MessageKey): TextLoaders =>
  Object.fromEntries(
    languages.map((each) => [each, async () => ({ texts: { [key]: `${key} ${each}` } })]),
  ) as TextLoaders

const shows = (key: 'nav.back' | 'transfer.next' | 'order.empty') => locale.get()?.t(key)

test('the first texts come alone, others when they are asked for, and a change of language brings all of them', async () => {
  await startLanguage(textsAtHand('nav.back'))
  expect([shows('nav.back'), shows('transfer.next')]).toEqual(['nav.back tw', 'transfer.next'])
  await loadTexts(textsAtHand('transfer.next'))
  expect(shows('transfer.next')).toBe('transfer.next tw')
  await setLanguage('en')
  expect([shows('nav.back'), shows('transfer.next')]).toEqual(['nav.back en', 'transfer.next en'])
  expect(document.documentElement.lang).toBe('en')
})

test('nothing is fetched twice', async () => {
  await startLanguage(textsAtHand('nav.back'))
  const texts = textsAtHand('transfer.next')
  const tw = vi.spyOn(texts as Record<Language, TextLoaders[Language]>, 'tw')
  await loadTexts(texts)
  await setLanguage('en')
  await setLanguage('tw')
  await loadTexts(texts)
  expect(tw).toHaveBeenCalledOnce()
})

test('texts that arrive after the language has changed come in the new one as well', async () => {
  await startLanguage(textsAtHand('nav.back'))
  const transfer = heldTexts('transfer.next')
  const loading = loadTexts(transfer.loaders)
  const inOld = await transfer.next()
  await setLanguage('en')
  inOld.arrive()
  const inNew = await transfer.next()
  expect([inOld.language, inNew.language]).toEqual(['tw', 'en'])
  inNew.arrive()
  await loading
  expect(shows('transfer.next')).toBe('transfer.next en')
})

test('a language becomes active only with the texts of a screen that was opened meanwhile', async () => {
  await startLanguage(textsAtHand('nav.back'))
  const [transfer, order] = [heldTexts('transfer.next'), heldTexts('order.empty')]
  const opened = loadTexts(transfer.loaders)
  ;(await transfer.next()).arrive()
  await opened
  const changed = setLanguage('en')
  const transferInEnglish = await transfer.next()
  const openedMeanwhile = loadTexts(order.loaders)
  ;(await order.next()).arrive()
  await openedMeanwhile
  expect(shows('order.empty')).toBe('order.empty tw')
  transferInEnglish.arrive()
  const orderInEnglish = await order.next()
  expect(locale.get()?.language).toBe('tw')
  orderInEnglish.arrive()
  await changed
  expect([shows('transfer.next'), shows('order.empty')]).toEqual(['transfer.next en', 'order.empty en'])
})

test('asked for by many at once, with the language changed meanwhile, all have them, in the last language', async () => {
  await startLanguage(textsAtHand('nav.back'))
  const texts = textsAtHand('transfer.next')
  await Promise.all([
    loadTexts(texts),
    loadTexts(texts),
    setLanguage('zh'),
    loadTexts(texts),
    setLanguage('en'),
    loadTexts(texts),
  ])
  expect(locale.get()?.language).toBe('en')
  expect(shows('transfer.next')).toBe('transfer.next en')
})

test('of two languages the one that was asked for last becomes active, whichever arrives last', async () => {
  const texts = heldTexts('nav.back')
  const started = startLanguage(texts.loaders)
  ;(await texts.next()).arrive()
  await started
  const changes = [setLanguage('zh'), setLanguage('en')]
  const [zh, en] = [await texts.next(), await texts.next()]
  en.arrive()
  await changes[1]
  zh.arrive()
  await Promise.all(changes)
  expect(shows('nav.back')).toBe('nav.back en')
})

test('texts that cannot be fetched leave the language as it was, and a later try brings them', async () => {
  const texts = heldTexts('nav.back')
  const started = startLanguage(texts.loaders)
  ;(await texts.next()).arrive()
  await started
  const failed = setLanguage('en')
  ;(await texts.next()).fail(new Error('offline'))
  await expect(failed).rejects.toThrow('offline')
  expect([locale.get()?.language, shows('nav.back')]).toEqual(['tw', 'nav.back tw'])

  const transfer = heldTexts('transfer.next')
  const unopened = loadTexts(transfer.loaders)
  ;(await transfer.next()).fail(new Error('offline'))
  await expect(unopened).rejects.toThrow('offline')
  const later = loadTexts(transfer.loaders)
  ;(await transfer.next()).arrive()
  await later
  expect(shows('transfer.next')).toBe('transfer.next tw')

  const changed = setLanguage('en')
  ;(await texts.next()).arrive()
  ;(await transfer.next()).arrive()
  await changed
  expect(shows('nav.back')).toBe('nav.back en')
})
