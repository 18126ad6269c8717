import { expect, test } from 'vitest'
import { readPictureUrl } from './picture-url.ts'

test('an https URL, as browsers write it, or none', () => {
  expect(readPictureUrl('https://Pictures.example.org/a b.webp?v=2')).toBe(
    'https://pictures.example.org/a%20b.webp?v=2',
  )
  expect(readPictureUrl('none')).toBeNull()
})

test.each([
  '',
  'picture.webp',
  'http://pictures.example.org/a.webp',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'https://user:secret@pictures.example.org/a.webp',
  'https://pictures.example.org/a.webp#b',
  `https://pictures.example.org/${'a'.repeat(500)}`,
])('%s is refused', (typed) => {
  expect(() => readPictureUrl(typed)).toThrow('the picture must be')
})
