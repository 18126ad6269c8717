import type { texts as tw } from '../tw/devices.ts'

export const texts: Record<keyof typeof tw, string> = {
  'device.lead': 'These devices are signed in to your account. Sign out any that you do not know.',
  'device.this': 'This device',
  'device.end': 'Sign out',
  'device.endWhat': 'Sign out {device}',
  'device.endOthers': 'Sign out all other devices',
  'device.ended': 'That device is signed out',
  'device.endedCount': 'Devices signed out: {count}',
  'device.none': 'No other device is signed in',
  'device.signedIn': 'Signed in {time}',
  'device.seen': 'Last used {time}',
}
