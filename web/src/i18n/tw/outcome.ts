/** The ways on from the end of a command that moves money. */
export const outcome = {
  'outcome.close': '完成',
  'outcome.askAgain': '再次查詢結果',
  'outcome.edit': '返回修改',
} as const
