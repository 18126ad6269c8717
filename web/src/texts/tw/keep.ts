export const texts = {
  'keep.handed': '檔案已交給瀏覽器。有些錢包不會存檔，也不會提示；沒看到檔案時，請用其他方式保存，例如傳給自己。',
  'keep.share': '分享檔案',
  'keep.download': '再下載一次',
  'keep.copy': '複製內容',
  'keep.show': '顯示內容',
  'keep.link': '給其他瀏覽器的連結',
  'keep.linkNote': '請用手機內建的瀏覽器開啟這個連結。連結在十分鐘內可用一次，不需登入，所以只傳給自己。',
  'keep.copyLink': '複製連結',
  'keep.shareLink': '分享連結',
  'keep.copied': '已複製',
  'keep.copyFailed': '瀏覽器不允許複製，請選取下方的文字',
  'keep.shareFailed': '這個瀏覽器不允許分享，請改用複製',
  'file.title': '您的檔案',
  'file.text': '這個連結是在另一個瀏覽器產生的。檔案只能取一次，請在要保存的地方取用。',
  'file.take': '取得檔案',
  'file.over': '這個連結已用過、已被新的連結取代，或已超過十分鐘。請在登入的地方重新產生。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
