import type { texts as tw } from '../tw/keep.ts'

export const texts: Record<keyof typeof tw, string> = {
  'keep.handed': '文件已交给浏览器。有些钱包不会保存文件，也不会提示；没看到文件时，请用其他方式保存，例如发给自己。',
  'keep.share': '分享文件',
  'keep.download': '再下载一次',
  'keep.copy': '复制内容',
  'keep.show': '显示内容',
  'keep.link': '给其他浏览器的链接',
  'keep.linkNote': '请用手机自带的浏览器打开这个链接。链接十分钟内可用一次，无需登录，所以只发给自己。',
  'keep.copyLink': '复制链接',
  'keep.shareLink': '分享链接',
  'keep.copied': '已复制',
  'keep.copyFailed': '浏览器不允许复制，请选中下面的文字',
  'keep.shareFailed': '这个浏览器不允许分享，请改用复制',
  'file.title': '你的文件',
  'file.text': '这个链接是在另一个浏览器里生成的。文件只能取一次，请在要保存的地方取。',
  'file.take': '取文件',
  'file.over': '这个链接已用过、已被新链接替换，或已超过十分钟。请在已登录的地方重新生成。',
}
