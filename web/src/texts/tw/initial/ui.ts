/** Pieces that every screen is made of. */
export const texts = {
  'http.request': '請求錯誤，請稍後再試',
  'http.repeated': '上一個相同的請求還在處理中',
  'http.timeout': '等候逾時，請再試一次',
  'http.connect': '無法連線到伺服器',
  'http.abnormal': '伺服器狀態異常，請稍後再試',
  'http.insecure': '這個網址不是 https 開頭，瀏覽器因此不提供加密。請改用 https:// 的網址開啟',

  'state.failed': '這裡沒有載入成功',
  'state.failedText': '連線可能中斷了。您的資料沒有受到影響。',
  'state.slow': '連線很慢，仍在載入。',
  'state.offline': '目前沒有網路連線',
  'state.offlineText': '恢復連線後會自動載入。',

  'ui.close': '關閉',
  'ui.cancel': '取消',
  'ui.retry': '再試一次',
  'ui.copied': '已複製',
  'ui.copyFailed': '瀏覽器不允許複製，請長按選取',
  'ui.copyWhat': '複製{what}',
  'ui.openExplorer': '在區塊瀏覽器查看{what}',
  'ui.whereFrom': '數字從哪裡來',
  'ui.less': '減少',
  'ui.more': '增加',
  'ui.loadMore': '載入更多',
} as const

type Texts = typeof texts
declare module '../../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
