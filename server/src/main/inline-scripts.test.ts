import { expect, test } from 'vitest'
import { inlineScripts } from './inline-scripts.ts'

test('each inline script of a page, and none of its files', () => {
  const page = `<!doctype html><script>let a</script><script type="module" src="/a.js"></script><script>\nlet b\n</script>`
  expect(inlineScripts(page)).toEqual([
    // printf 'let a' | openssl dgst -sha256 -binary | base64, and likewise the second one
    'sha256-IfEXP/8HLuXoAiy0hZVrCAcjcLsZqYFpLOHDGj8enqE=',
    'sha256-0sbn1EjKBw5DpaRv5zGA4F50hoM4NvD0lMc3IJSQXes=',
  ])
  expect(inlineScripts('<!doctype html><title>Candela</title>')).toEqual([])
})
