import type { texts as tw } from '../../tw/initial/session.ts'

export const texts: Record<keyof typeof tw, string> = {
  'device.unknown': '无法识别的设备',
  'device.on': '{system} 上的 {browser}',
}
