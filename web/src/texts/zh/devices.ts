import type { texts as tw } from '../tw/devices.ts'

export const texts: Record<keyof typeof tw, string> = {
  'device.lead': '下面这些设备正登录着你的账户。看到不认识的，请让它退出登录。',
  'device.this': '本机',
  'device.end': '退出',
  'device.endWhat': '让 {device} 退出登录',
  'device.endOthers': '退出其他所有设备',
  'device.ended': '该设备已退出登录',
  'device.endedCount': '已退出 {count} 台设备',
  'device.none': '只有本机处于登录状态',
  'device.signedIn': '{time} 登录',
  'device.seen': '最近使用 {time}',
}
