/** Header, sheets and dialogs around every screen. */
export const texts = {
  'nav.label': '主要功能',
  'nav.logo': 'Candela 首頁',

  'language.title': '選擇語言',
  'language.button': '選擇語言',

  'wallet.connect': '連接錢包',
  'wallet.account': '帳戶 {address}',
  'wallet.accountChanged': '錢包帳戶已切換，正在重新載入',
  'wallet.locked': '錢包已鎖定或中斷連接。您仍在登入中，付款或簽署時再解鎖即可。',

  'account.title': '我的錢包',
  'account.address': '錢包地址',
  'account.wallet': '錢包',
  'account.walletUsdt': '錢包內的 USDT',
  'account.allowance': '已授權合約的額度',
  'account.unread': '讀取不到',
  'account.chain': '區塊鏈 ID',
  'account.notConnected': '錢包已鎖定或未連接',
  'account.signIn': '登入',
  'account.signOut': '登出',

  'invite.title': '邀請碼',
  'invite.text': '這個地址第一次登入，需要一組邀請碼。',
  'invite.placeholder': '請輸入邀請碼',
  'invite.form': '邀請碼只有英文字母和數字，最多 16 個字，請再核對一次',
  'invite.confirm': '確認',

  'devices.title': '改在這台裝置登入？',
  'devices.text': '其他裝置會立即登出，之後用同一個錢包就能再登入。',
  'devices.replace': '登出其他裝置',
  'state.offlineNotice': '離線中，畫面上可能不是最新的數字',
  'state.chainDelayed': '區塊鏈暫時沒有新區塊。已付的款項不會遺失，恢復後就會入帳。',
  'state.newBuild': '有新版本可以使用。',
  'state.toExit': '前往「自行領回」',
  'state.reload': '重新載入',
  'state.clockOff': '這部裝置的時間與服務相差約 {time}。期限一律以服務的時間計算；建議在系統設定開啟「自動設定時間」。',
  'state.broken': '頁面發生錯誤。若操作沒有反應，請重新載入；仍然如此時，請把這段文字傳給客服：{detail}',
  'notice.bell': '通知',
  'notice.bellUnread': '通知，{count} 則未讀',
} as const

type Texts = typeof texts
declare module '../../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
