/** Paying from the wallet: what the contract may take, and what is on its way. */
export const texts = {
  'pay.takingBack': '這個代幣要先把舊的授權額度歸零，請在錢包中確認兩次',
  'pay.tokenRefuses': '代幣合約拒絕變更這個授權額度，額度沒有改變。',
  'pay.approve': '請在錢包中確認授權',
  'pay.approveOnChain': '授權已送出，等待鏈上確認',
  'pay.approveStillChecking': '仍在查詢授權結果，確認後請再按一次付款',
  'pay.approvalFailed': '授權沒有完成，請再試一次',
  'pay.cancelled': '您在錢包中取消了這筆交易，款項沒有轉出',
  'pay.onItsWay': '交易已由錢包送出，正在等待鏈上出現。',
  'pay.unreserved': '這筆訂單不會保留算力。若他人先付款買完，您的付款會全額存入帳戶餘額。',
  'pay.confirmations': '鏈上確認 {done}/{needed}',
  'pay.transaction': '付款交易',
  'pay.asset': '付款資產',
  'allow.title': '授權方式',
  'allow.exact': '只授權這筆金額',
  'allow.exactText': '付款後額度即用完，下次付款時再授權。',
  'allow.max': '一次授權最大額度',
  'allow.maxText': '之後用 {asset} 付款不必再授權，隨時可以撤銷。',
  'allow.enough': '目前的授權額度已足夠，這次不需要再授權。',
  'allow.standing': '合約目前可動用的額度',
  'allow.standingFrom':
    '直接讀自代幣合約的 allowance。收款合約只能在您自己送出的交易裡動用這個額度，營運方無法代您動用；撤銷會把它設為 0。',
  'allow.unlimited': '無上限',
  'allow.revoke': '撤銷',

  'pay.confirming': '請在錢包中確認付款',
  'pay.onChain': '付款已送出，等待鏈上確認',
  'pay.failed': '付款失敗',
  'pay.refused': '您在錢包中取消了，款項沒有轉出',
  'pay.approvalRefused': '您在錢包中取消了授權，款項沒有轉出',
  'pay.noGas': '錢包裡的 JU 不足以支付金額與鏈上手續費，款項沒有轉出。請先補足 JU。',
  'pay.wouldRevert': '合約目前不會接受這筆付款，所以沒有送出。請稍後再試。',
  'pay.reverted': '付款失敗：鏈上拒絕了這筆交易，只扣了手續費，款項沒有轉出。',
  'pay.busy': '錢包裡有一個請求正在等待：請打開錢包處理。',
  'pay.silent': '錢包沒有回應。請打開錢包、解鎖後再試一次。',
  'pay.noWallet': '這個瀏覽器裡找不到錢包。請打開或安裝登入時使用的錢包。',
  'pay.walletFailed': '錢包沒有完成這個動作，請再試一次',
  'pay.waitingForWallet': '正在等待錢包回應，請打開並解鎖錢包',
  'pay.stopWaiting': '不再等待',
  'pay.givenUp': '已不再等待。錢包裡的請求可能還開著，若您之後確認，仍會付款；若付了兩次，第二筆會存入您的帳戶餘額。',
  'pay.givenUpApproval': '已不再等待。錢包裡的授權請求可能還開著，確認它只會授權，不會付款。',
  'pay.oldPrompt': '先前的請求可能還在錢包裡。若兩筆都確認，第二筆會存入您的帳戶餘額。',
  'pay.otherAccount': '錢包不在登入的帳戶 {address} 上，或尚未解鎖。請在錢包中切換到這個帳戶。',
  'pay.unknown':
    '錢包收到請求後回報了錯誤，目前還不知道這筆款項是否已付。如果已付，這裡會自動更新。請先查看錢包，再決定是否重新付款。',
  'pay.unknownGone':
    '錢包在處理請求時停止或更新了。請重新整理此頁。目前還不知道這筆款項是否已付，如果已付，這裡會自動更新。',
  'pay.leftChain': '錢包在處理請求時切換到了其他網路，在那裡送出的款項不會算在這裡。請先查看錢包，再決定是否重新付款。',
  'pay.noToken': '錢包裡的代幣少於付款金額，沒有付款。',
  'pay.noAllowance': '合約可動用的額度少於付款金額，沒有付款。請再點一次付款並授權足夠的額度。',
  'pay.noAccount': '錢包沒有向此頁開放任何帳戶。請解鎖錢包或在錢包中新增帳戶後再試。',
  'pay.walletGone': '開啟此頁後，錢包已停止或更新。請重新整理此頁。',
  'pay.reload': '重新整理',
  'pay.altered':
    '服務給出的網路、合約或金額與此頁顯示的不同，因此沒有請求錢包。請重新整理此頁；如果再次出現，請告知客服。',
  'pay.approvalUnknown': '目前還不知道授權是否成功，沒有付款。請先查看錢包，再點一次付款：屆時已生效的授權會算進去。',
  'pay.approvedLess': '授權的額度少於這筆付款所需，沒有付款。請再點一次付款，並保留錢包中的金額不變。',
  'pay.walletSays': '錢包的說明：{said}',
  'pay.alreadyPaid': '這筆款項已經付過，或付款時間已過，沒有再送出。',
  'pay.payAnyway': '仍然付款',
  'pay.doubt.sentSince':
    '錢包收到這筆付款請求後，您的帳戶已送出一筆交易，可能就是這一筆。如果付了兩次，第二筆會存入帳戶餘額。',
  'pay.doubt.waiting': '您的帳戶有一筆尚未上鏈的交易，可能就是這筆付款。如果付了兩次，第二筆會存入帳戶餘額。',
  'pay.doubt.open': '錢包先前已收到這筆付款請求，可能仍待確認。如果兩筆都確認，第二筆會存入帳戶餘額。',
  'pay.stillChecking.order': '仍在查詢付款結果，訂單會自動更新',
  'pay.stillChecking.deposit': '仍在查詢付款結果，存入紀錄會自動更新',
  'pay.stillChecking.repayment': '仍在查詢付款結果，借款會自動更新',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
