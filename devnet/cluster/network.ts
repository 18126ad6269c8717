/** Where the members of the database listen: on this machine's own address, or each in a network of its own that can be cut. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { findProgram } from '@candela/testing/process/debian-programs'
import type { Part } from './place.ts'

/** The facts that the parts of a database layer need to know of their network. */
export interface Network {
  /** Where the parts that are no member listen, as members see it. */
  host: string
  addressOf: (member: string) => string
  /** All addresses, as in pg_hba.conf. */
  range: string
  /** The part of a member, as it is run within its network. */
  within: (member: string, part: Part) => Part
}

/** Everything at 127.0.0.1. */
export const oneAddress: Network = {
  host: '127.0.0.1',
  addressOf: () => '127.0.0.1',
  range: '127.0.0.1/32',
  within: (_member, part) => part,
}

/** A network whose members can be cut off: what is sent to them and by them is lost without a word. */
export interface CuttableNetwork extends Network {
  cut: (member: string) => Promise<void>
  mend: (member: string) => Promise<void>
  /** Removes it. Its processes must have ended. */
  close: () => Promise<void>
}

const ip = async (...args: string[]): Promise<void> => {
  await promisify(execFile)(findProgram('ip') ?? 'ip', args)
}

/** Why networks cannot be made here; undefined when they can. */
export async function whyNoNetworks(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'needs root'
  if (findProgram('ip') === undefined) return 'needs the Debian package iproute2'
  const name = `candela-${randomBytes(3).toString('hex')}`
  try {
    await ip('netns', 'add', name)
    await ip('netns', 'del', name)
    return undefined
  } catch {
    return 'needs a kernel that lets root make network namespaces'
  }
}

/**
 * Makes a network namespace for each member, joined by a bridge. Only root can; a process that is killed leaves them behind, as
 * `candela-…` in `ip netns list`.
 */
export async function openNetworks(members: readonly string[]): Promise<CuttableNetwork> {
  const id = randomBytes(3).toString('hex')
  const bridge = `cdl${id}`
  // The subnet is of the range that is for tests of networks (RFC 2544), so that no address that is in use is among them.
  const [third = 0, fourth = 0] = randomBytes(2)
  const subnet = `198.${18 + (fourth % 2)}.${third}`
  const nth = (member: string): number => {
    const at = members.indexOf(member)
    if (at === -1) throw new Error(`The network has no ${member}`)
    return at + 1
  }
  const addressOf = (member: string) => `${subnet}.${10 + nth(member)}`
  const namespaceOf = (member: string) => `candela-${id}-${member}`
  const linkOf = (member: string) => `${bridge}m${nth(member)}`
  await ip('link', 'add', bridge, 'type', 'bridge')
  await ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge)
  await ip('link', 'set', bridge, 'up')
  for (const member of members) {
    const namespace = namespaceOf(member)
    await ip('netns', 'add', namespace)
    await ip('link', 'add', linkOf(member), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    await ip('link', 'set', linkOf(member), 'master', bridge, 'up')
    await ip('-n', namespace, 'addr', 'add', `${addressOf(member)}/24`, 'dev', 'eth0')
    await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    await ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }
  return {
    host: `${subnet}.1`,
    addressOf,
    range: `${subnet}.0/24`,
    within: (member, part) => ({ ...part, namespace: namespaceOf(member) }),
    cut: (member) => ip('link', 'set', linkOf(member), 'down'),
    mend: (member) => ip('link', 'set', linkOf(member), 'up'),
    close: async () => {
      for (const member of members) await ip('netns', 'del', namespaceOf(member))
      await ip('link', 'del', bridge)
    },
  }
}
