/** What a device is called. */
export const texts = {
  'device.unknown': '無法辨識的裝置',
  'device.on': '{system} 上的 {browser}',
} as const

type Texts = typeof texts
declare module '../../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
