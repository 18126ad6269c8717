/** Devices that are signed in. */
export const texts = {
  'device.lead': '以下裝置目前登入您的帳戶。看到不認得的裝置，請將它登出。',
  'device.this': '這台裝置',
  'device.end': '登出',
  'device.endWhat': '登出 {device}',
  'device.endOthers': '登出其他所有裝置',
  'device.ended': '裝置已登出',
  'device.endedCount': '已登出 {count} 台裝置',
  'device.none': '只有這台裝置登入中',
  'device.signedIn': '{time} 登入',
  'device.seen': '最近使用 {time}',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
