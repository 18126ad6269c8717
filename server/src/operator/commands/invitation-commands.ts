import { closeInvitation, createInvitation, listInvitations } from '../../modules/member/manage-invitations.ts'
import type { Bindings } from '../run.ts'

export const invitationCommands: Bindings<'invitation create' | 'invitation close' | 'invitation list'> = {
  'invitation create': async (tx, { code, note }, { now }) => {
    await createInvitation(tx, { code, note }, now)
    return { code, note, createdAt: now }
  },
  'invitation close': async (tx, { code }, { now }) => {
    await closeInvitation(tx, code, now)
    return { code, closedAt: now }
  },
  'invitation list': (tx) => listInvitations(tx),
}
