import { isIPv6 } from 'node:net'

/** One customer usually has a whole IPv6 /64 and could use a new address for each call. */
export function addressGroup(clientAddress: string): string {
  if (!isIPv6(clientAddress)) return clientAddress
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(clientAddress)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = clientAddress.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
