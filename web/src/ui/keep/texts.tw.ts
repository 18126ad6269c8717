export const texts = {
  'keep.handed': '檔案已交給瀏覽器。有些錢包不會存檔，也不會提示；沒看到檔案時，請用分享（例如傳給自己）或複製內容。',
  'keep.share': '分享檔案',
  'keep.download': '再下載一次',
  'keep.copy': '複製內容',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
