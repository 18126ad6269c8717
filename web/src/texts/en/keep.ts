import type { texts as tw } from '../tw/keep.ts'

export const texts: Record<keyof typeof tw, string> = {
  'keep.handed':
    'The file was handed to the browser. Some wallets save no files and do not say so. If you see no file, keep it in another way, such as by sending it to yourself.',
  'keep.share': 'Share the file',
  'keep.download': 'Download again',
  'keep.copy': 'Copy the content',
  'keep.show': 'Show the content',
  'keep.link': 'Link for another browser',
  'keep.linkNote':
    'Open this link in your phone’s own browser. It works once, within ten minutes, and without signing in, so send it to nobody but yourself.',
  'keep.copyLink': 'Copy the link',
  'keep.shareLink': 'Share the link',
  'keep.copied': 'Copied',
  'keep.copyFailed': 'The browser does not allow copying. Select the text below instead',
  'keep.shareFailed': 'This browser does not allow sharing. Copy it instead',
  'file.title': 'Your file',
  'file.text':
    'This link was made in another browser. The file can be taken once, so take it where you want to keep it.',
  'file.take': 'Take the file',
  'file.over':
    'This link was used already, was replaced by a newer one, or is older than ten minutes. Make another one where you are signed in.',
}
