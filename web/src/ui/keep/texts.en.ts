import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'keep.handed':
    'The file was handed to the browser. Some wallets save no files and do not say so; if you see no file, share it (to yourself, for example) or copy the content.',
  'keep.share': 'Share the file',
  'keep.download': 'Download again',
  'keep.copy': 'Copy the content',
}
