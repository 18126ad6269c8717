import { expect, test } from 'vitest'
import { collectCsv, countLines } from './download-csv.ts'

test('pieces are asked for with the same filter until the last, and put together in their order', async () => {
  const asked: unknown[] = []
  const pieces = [
    { text: 'a,b\r\n1,2\r\n', nextCursor: '9-1' },
    { text: '3,4\r\nSum,8\r\n', nextCursor: '5-1' },
    { text: '', nextCursor: null },
  ]
  const texts = await collectCsv(
    async (input) => {
      asked.push(input)
      return pieces[asked.length - 1]!
    },
    { asset: 'JU' },
  )
  expect(texts.join('')).toBe('a,b\r\n1,2\r\n3,4\r\nSum,8\r\n')
  expect(countLines(texts)).toBe(2)
  expect(asked).toEqual([{ asset: 'JU' }, { asset: 'JU', cursor: '9-1' }, { asset: 'JU', cursor: '5-1' }])
})

test('a piece that does not come leaves no half of a file', async () => {
  await expect(collectCsv(() => Promise.reject(new Error('no answer')), {})).rejects.toThrow('no answer')
})
