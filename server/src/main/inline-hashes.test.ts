import { expect, test } from 'vitest'
import { inlineHashes } from './inline-hashes.ts'

test('each inline script and style sheet of a page, and none of its files', () => {
  const page =
    `<!doctype html><link rel="stylesheet" href="/a.css"><style>let a</style><script>let a</script>` +
    `<script type="module" src="/a.js"></script><script>\nlet b\n</script>`
  // printf 'let a' | openssl dgst -sha256 -binary | base64, and likewise the second one
  const first = 'sha256-IfEXP/8HLuXoAiy0hZVrCAcjcLsZqYFpLOHDGj8enqE='
  expect(inlineHashes(page)).toEqual({
    scripts: [first, 'sha256-0sbn1EjKBw5DpaRv5zGA4F50hoM4NvD0lMc3IJSQXes='],
    styles: [first],
  })
  expect(inlineHashes('<!doctype html><title>Candela</title>')).toEqual({ scripts: [], styles: [] })
})
