import { beforeEach, expect, test, vi } from 'vitest'
import { catalogs } from './testing-catalogs.ts'

let { speak, speakWhole, speech } = await import('./language.ts')

beforeEach(async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  ;({ speak, speakWhole, speech } = await import('./language.ts'))
})

const says = (key: 'nav.back' | 'transfer.next') => speech.get()?.t(key)

test('the first texts come alone, the others when they are asked for, and a change of language brings both', async () => {
  await speak('tw')
  expect([speech.get()?.isWhole, says('nav.back')]).toEqual([false, catalogs.tw['nav.back']])
  await speakWhole()
  expect([speech.get()?.isWhole, says('transfer.next')]).toEqual([true, catalogs.tw['transfer.next']])
  await speak('en')
  expect([says('nav.back'), says('transfer.next')]).toEqual([catalogs.en['nav.back'], catalogs.en['transfer.next']])
  expect(document.documentElement.lang).toBe('en')
})

test('asked for by many at once, with the language changed meanwhile, all have them, in the last language', async () => {
  await speak('tw')
  const asked = [speakWhole(), speakWhole(), speak('zh'), speakWhole(), speak('en'), speakWhole()]
  await Promise.all(asked)
  expect(speech.get()).toMatchObject({ language: 'en', isWhole: true })
  expect(says('transfer.next')).toBe(catalogs.en['transfer.next'])
})

test('texts that cannot be fetched leave what is spoken, and a later try brings them', async () => {
  await speak('tw')
  vi.doMock('./en/inner.ts', () => {
    throw new Error('offline')
  })
  const changed = Promise.all([speak('en'), speakWhole()])
  await expect(changed).rejects.toThrow()
  await speak('tw')
  await speakWhole()
  expect([speech.get()?.language, says('transfer.next')]).toEqual(['tw', catalogs.tw['transfer.next']])
})
