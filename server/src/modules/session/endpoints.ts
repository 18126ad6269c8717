import type { SignInSite } from '@candela/protocol/login-message'
import type { Handlers } from '../../kernel/handler.ts'
import { endSession } from './end-session.ts'
import { logIn, type LoginDeps } from './log-in/log-in.ts'
import { loginKeyOf } from './log-in/login-key.ts'
import { listSessions } from './list-sessions.ts'
import { issueLoginMessage } from './log-in/login-message.ts'
import { revokeSessions } from './revoke-sessions.ts'

export type SessionDeps = Omit<LoginDeps, 'loginKey'> & { site: SignInSite }

export function sessionHandlers(
  deps: SessionDeps,
): Handlers<
  | 'GET auth/loginMessage'
  | 'POST auth/isRegister'
  | 'POST auth/login'
  | 'POST auth/logout'
  | 'GET auth/sessions'
  | 'POST auth/revoke'
> {
  const { db, ids, site } = deps
  const loginKey = loginKeyOf(db)
  return {
    'GET auth/loginMessage': async ({ address }, { now }) => {
      const random = Buffer.from(ids.token(), 'base64url')
      return { message: issueLoginMessage(await loginKey(), site, { address, random, issuedAt: now }) }
    },

    'POST auth/isRegister': async ({ address }) => {
      const member = await db.selectFrom('member').select('id').where('address', '=', address).executeTakeFirst()
      return { isRegister: member !== undefined }
    },

    'POST auth/login': async (input, { now, userAgent, clientAddress }) => ({
      token: await logIn(
        { ...deps, loginKey },
        {
          address: input.address,
          message: input.message,
          signature: input.sign_message as `0x${string}`,
          invitationCode: input.code,
          replace: input.replace ?? false,
          userAgent,
          clientAddress,
          now,
        },
      ),
    }),

    'POST auth/logout': async (_input, { sessionId, now }) => {
      await endSession(db, sessionId, now)
      return {}
    },

    'GET auth/sessions': (_input, { memberId, sessionId, now }) => listSessions(db, { memberId, sessionId, now }),

    'POST auth/revoke': async ({ id }, { memberId, sessionId, now }) => ({
      ended: await revokeSessions(db, { memberId, now, ...(id === undefined ? { allBut: sessionId } : { id }) }),
    }),
  }
}
