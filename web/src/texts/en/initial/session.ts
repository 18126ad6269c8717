import type { texts as tw } from '../../tw/initial/session.ts'

export const texts: Record<keyof typeof tw, string> = {
  'device.unknown': 'Unknown device',
  'device.on': '{browser} on {system}',
}
