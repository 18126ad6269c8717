import { beforeEach, expect, test, vi } from 'vitest'
import { catalogs } from './testing-catalogs.ts'

let { setLanguage, loadDeferredTexts, locale } = await import('./language.ts')

beforeEach(async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  ;({ setLanguage, loadDeferredTexts, locale } = await import('./language.ts'))
})

const says = (key: 'nav.back' | 'transfer.next') => locale.get()?.t(key)

test('the first texts come alone, the others when they are asked for, and a change of language brings both', async () => {
  await setLanguage('tw')
  expect([locale.get()?.isComplete, says('nav.back')]).toEqual([false, catalogs.tw['nav.back']])
  await loadDeferredTexts()
  expect([locale.get()?.isComplete, says('transfer.next')]).toEqual([true, catalogs.tw['transfer.next']])
  await setLanguage('en')
  expect([says('nav.back'), says('transfer.next')]).toEqual([catalogs.en['nav.back'], catalogs.en['transfer.next']])
  expect(document.documentElement.lang).toBe('en')
})

test('asked for by many at once, with the language changed meanwhile, all have them, in the last language', async () => {
  await setLanguage('tw')
  const asked = [
    loadDeferredTexts(),
    loadDeferredTexts(),
    setLanguage('zh'),
    loadDeferredTexts(),
    setLanguage('en'),
    loadDeferredTexts(),
  ]
  await Promise.all(asked)
  expect(locale.get()).toMatchObject({ language: 'en', isComplete: true })
  expect(says('transfer.next')).toBe(catalogs.en['transfer.next'])
})

test('texts that cannot be fetched leave what is spoken, and a later try brings them', async () => {
  await setLanguage('tw')
  vi.doMock('./en/inner.ts', () => {
    throw new Error('offline')
  })
  const changed = Promise.all([setLanguage('en'), loadDeferredTexts()])
  await expect(changed).rejects.toThrow()
  await setLanguage('tw')
  await loadDeferredTexts()
  expect([locale.get()?.language, says('transfer.next')]).toEqual(['tw', catalogs.tw['transfer.next']])
})
