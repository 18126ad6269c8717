/** The ways on from the end of a command that moves money. */
export const texts = {
  'command.close': '完成',
  'command.askAgain': '再次查詢結果',
  'command.edit': '返回修改',
} as const

type Texts = typeof texts
declare module '../i18n/translate.ts' {
  interface Messages extends Texts {}
}
