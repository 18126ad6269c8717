import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'command.close': '完成',
  'command.askAgain': '再次查询结果',
  'command.edit': '返回修改',
}
