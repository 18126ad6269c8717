/** Inviting friends. */
export const texts = {
  'friends.lead': '新朋友首次登入需要一組邀請碼。',
  'friends.waits': '首次存入後啟用您的邀請碼',
  'friends.waitsText':
    '從鏈上累計存入 {usdt} USDT、{hash} HASH 或 {ju} JU（可合併計算）後，您的邀請碼就會出現在這裡，以免有人大量建立空帳戶。',
  'friends.closed': '您的邀請碼已停用',
  'friends.closedText': '營運人員已停用這組邀請碼，無法再用它邀請新朋友；已加入的好友不受影響。',
  'friends.leaves': '您的帳戶建立時，新帳戶異常地多。若到 {date} 仍未存入上述金額，這個帳戶會被移除。',
  'friends.code': '您的邀請碼',
  'friends.copyCode': '複製邀請碼',
  'friends.copyLink': '複製連結',
  'friends.share': '分享連結',
  'friends.shareText': '這是我的 Candela 邀請碼 {code}',
  'friends.qr': '邀請連結的 QR 碼',
  'friends.reward': '好友的每筆購買一經確認，金額的 5% 就撥入您的帳戶，由平台的銷售收入支付，只有一層。',
  'friends.list': '直接邀請',
  'friends.count': '共 {count} 位',
  'friends.none': '還沒有好友加入',
  'friends.noneText': '有人以您的邀請碼登入後，會列在這裡。',
  'friends.joined': '{date} 加入',
  'friends.power': '有效算力',
  'friends.purchases': '購買金額',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
