import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'command.close': 'Done',
  'command.askAgain': 'Ask again',
  'command.edit': 'Back to edit',
}
