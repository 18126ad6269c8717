import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpack } from './find-chromium.ts'

test('a browser that was unpacked stays the same file when others unpack it too', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'candela-unpack-'))
  try {
    const packed = path.join(folder, 'packed.br')
    await writeFile(packed, brotliCompressSync('a browser'))
    const target = path.join(folder, 'cache', 'chromium')
    await unpack(packed, target)
    const first = await stat(target)
    await Promise.all([unpack(packed, target), unpack(packed, target)])
    expect((await stat(target)).ino).toBe(first.ino)
    expect(first.mode % 0o1000).toBe(0o755)
    expect(await readFile(target, 'utf8')).toBe('a browser')
    expect(await readdir(path.dirname(target))).toEqual(['chromium'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
