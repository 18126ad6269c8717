import {
  closeInvitation,
  createInvitation,
  listCrowdedCodes,
  listInvitations,
} from '../../modules/member/manage-invitations.ts'
import type { Bindings } from '../run.ts'

export const invitationCommands: Bindings<'invitation create' | 'invitation close' | 'invitation list'> = {
  'invitation create': async (tx, { code, note }, { now }) => {
    await createInvitation(tx, { code, note }, now)
    return { code, note, createdAt: now }
  },
  'invitation close': async (tx, { code }, { now }) => {
    const uid = await closeInvitation(tx, code, now)
    return { code, ...(uid === null ? {} : { ofMember: uid }), closedAt: now }
  },
  'invitation list': (tx, { crowded }, { now }) => (crowded === true ? listCrowdedCodes(tx, now) : listInvitations(tx)),
}
