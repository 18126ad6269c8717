/** Header, sheets and dialogs around every screen. */
export const texts = {
  'nav.label': '主要功能',
  'nav.logo': 'Candela 首頁',

  'language.title': '選擇語言',
  'language.button': '選擇語言',

  'wallet.connect': '連接錢包',
  'wallet.choose': '選擇錢包',
  'wallet.account': '帳戶 {address}',
  'wallet.notInstalled': '請先安裝錢包（例如 MetaMask）',
  'wallet.refused': '您在錢包中取消了，尚未登入',
  'wallet.wrongChain': '錢包目前不在指定的網路上',
  'wallet.failed': '錢包沒有完成這個動作，請再試一次',
  'wallet.accountChanged': '錢包帳戶已切換，正在重新載入',

  'account.title': '我的錢包',
  'account.address': '錢包地址',
  'account.wallet': '錢包',
  'account.walletUsdt': '錢包內的 USDT',
  'account.allowance': '已授權合約的額度',
  'account.unread': '未讀取',
  'account.signIn': '登入',
  'account.signOut': '登出',

  'network.title': '網路錯誤',
  'network.text': '目前的網路不受支援，請將錢包切換到以下網路後再繼續。',
  'network.name': '網路名稱',
  'network.chainId': '鏈 ID',
  'network.rpc': 'RPC 網址',
  'network.recheck': '重新檢查',
  'network.switch': '切換網路',
  'network.stillWrong': '錢包仍在鏈 {chainId} 上，尚未切換。',
  'network.switchRefused': '您在錢包中取消了切換',
  'network.switchFailed': '錢包無法自動切換，請在錢包中手動新增此網路',

  'invite.title': '邀請碼',
  'invite.text': '這個地址第一次登入，需要一組邀請碼。',
  'invite.placeholder': '請輸入邀請碼',
  'invite.confirm': '確認',

  'devices.title': '改在這台裝置登入？',
  'devices.text': '其他裝置會立即登出，之後用同一個錢包就能再登入。',
  'devices.replace': '登出其他裝置',
  'state.offlineNotice': '離線中，畫面上可能不是最新的數字',
  'notice.bell': '通知',
  'notice.bellUnread': '通知，{count} 則未讀',
} as const

type Texts = typeof texts
declare module '../i18n/translate.ts' {
  interface Messages extends Texts {}
}
