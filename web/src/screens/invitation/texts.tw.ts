/** Inviting friends. */
export const texts = {
  'friends.lead': '新朋友首次登入需要一組邀請碼，把您的分享給他。',
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
