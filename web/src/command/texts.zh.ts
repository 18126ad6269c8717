/** The ways on from the end of a command that moves money. */
export const command = {
  'command.close': '完成',
  'command.askAgain': '再次查询结果',
  'command.edit': '返回修改',
} as const
