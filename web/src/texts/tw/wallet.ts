/** Choosing a wallet, and putting it on the right network. */
export const texts = {
  'wallet.choose': '選擇錢包',
  'wallet.chooseAgain': '請選擇持有 {address} 的錢包，之前使用的錢包不在這個瀏覽器裡。',
  'wallet.noneHere': '這個瀏覽器裡沒有錢包，請從別處連接。',
  'wallet.remote': '用手機上的錢包掃描 QR 碼',
  'wallet.remotePhone': '連接這支手機上的錢包 App',
  'wallet.elsewhere': '在錢包 App 的瀏覽器中使用 Candela',

  'wallet.notInstalled': '請先安裝錢包（例如 MetaMask）',
  'wallet.refusedConnect': '您在錢包中拒絕了連接，尚未登入',
  'wallet.refused': '您在錢包中取消了簽署，尚未登入',
  'wallet.busy': '錢包裡有一個請求正在等待，請打開錢包處理',
  'wallet.silent': '錢包沒有回應。請打開錢包、解鎖後再試一次',
  'wallet.noRelay': '目前的網路連不到其他裝置上的錢包。請換一個網路，或用錢包內的瀏覽器開啟此頁',
  'wallet.failed': '錢包沒有完成這個動作，請再試一次',
  'wallet.noAccount': '錢包沒有向此頁開放任何帳戶。請解鎖錢包或在錢包中新增帳戶後再試',
  'wallet.gone': '開啟此頁後，錢包已停止或更新。請重新整理此頁',
  'wallet.reload': '重新整理',
  'wallet.altered':
    '服務給出的網路或簽名內容不是此應用應有的，因此沒有請求錢包。請重新整理此頁；如果再次出現，請告知客服',
  'wallet.says': '錢包的說明：{said}',
  'wallet.slow': '錢包還沒有回應，請打開錢包看看是否有請求在等待',
  'wallet.stopWaiting': '不再等待',

  'elsewhere.title': '在錢包中開啟',
  'elsewhere.onPhone': '用手機繼續',
  'elsewhere.text': '這個瀏覽器裡沒有錢包。請選擇您的錢包，Candela 會在它的瀏覽器中開啟。',
  'elsewhere.onPhoneText':
    '這個瀏覽器裡沒有錢包。請用手機掃描，再從錢包的瀏覽器開啟；也可以在這裡安裝 MetaMask 之類的瀏覽器錢包。',
  'elsewhere.code': '邀請碼 {code} 會一起帶過去。',
  'elsewhere.copy': '複製連結',
  'elsewhere.qr': '此頁連結的 QR 碼',

  'pairing.title': '連接錢包',
  'pairing.scan': '請用手機上的錢包掃描這個 QR 碼，並在錢包中同意連接。',
  'pairing.open': '請選擇錢包並同意連接，再回到這裡。',
  'pairing.other': '其他錢包 App',
  'pairing.copy': '複製連接碼',
  'pairing.qr': '供錢包掃描的連接 QR 碼',

  'network.title': '網路錯誤，請切換網路',
  'network.text': '目前的網路不受支援，請將錢包切換到以下網路後再繼續。切換完成後，這個視窗會自動關閉。',
  'network.name': '網路名稱',
  'network.chainId': '鏈 ID',
  'network.rpc': 'RPC 網址',
  'network.recheck': '重新檢查',
  'network.switch': '切換網路',
  'network.asked': '請在錢包中確認切換',
  'network.stillWrong': '錢包仍在鏈 {chainId} 上，尚未切換。',
  'network.refused': '您在錢包中取消了切換。',
  'network.busy': '錢包裡有一個請求正在等待，請打開錢包處理。',
  'network.silent': '錢包沒有回應。請打開錢包、解鎖後再檢查一次。',
  'network.failed': '錢包無法自動切換，請在錢包中手動新增此網路。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
