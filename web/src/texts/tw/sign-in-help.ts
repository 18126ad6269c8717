/** Why a sign-in takes long or has stopped. */
export const texts = {
  'visit.needWallet': '請用錢包內建的瀏覽器開啟此頁，或安裝 MetaMask 之類的瀏覽器錢包。',
  'visit.refused': '您在錢包中取消了簽署，沒有登入，也沒有任何款項移動。隨時可以再試。',
  'visit.failed': '這次沒有完成登入。您的資產不受影響，請再試一次。',
  'visit.refusedConnect': '您在錢包中拒絕了連接，我們看不到您的地址，也沒有登入。隨時可以再試。',
  'visit.walletBusy': '錢包裡有一個請求正在等待。請打開錢包處理，再回到這裡。',
  'visit.silent': '錢包沒有回應。請打開錢包、解鎖後再試一次；您的資產不受影響。',
  'visit.slow': '錢包還沒有回應。請打開錢包看看是否有請求在等待，也可以再試一次。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
