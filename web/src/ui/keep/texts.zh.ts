import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'keep.handed':
    '文件已交给浏览器。有些钱包不会保存文件，也不会提示；没看到文件时，请用分享（例如发给自己）或复制内容。',
  'keep.share': '分享文件',
  'keep.download': '再下载一次',
  'keep.copy': '复制内容',
}
