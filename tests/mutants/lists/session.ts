import { inFile, type Mutation } from '../mutation.ts'

const logIn = inFile('server/src/modules/session/log-in/log-in.ts', [
  {
    name: 'a wrong signature signs in',
    search: 'if (!(await isSigned(deps, login, issued))) throw',
    replace: 'if (!(await isSigned(deps, login, issued)) && login.signature.length > 4_000) throw',
  },
  {
    name: 'the answer to a signature is not waited for',
    search: 'if (!(await isSigned(deps, login, issued))) throw',
    replace: 'if (!isSigned(deps, login, issued)) throw',
  },
  {
    name: 'a contract may sign a message that names nobody',
    search: "issued.address === null ? 'key' : 'key or contract'",
    replace: "'key or contract'",
  },
  {
    name: 'a contract may not sign at all',
    search: "issued.address === null ? 'key' : 'key or contract'",
    replace: "'key'",
  },
  {
    name: 'a message is good at the very end of its time',
    search: 'issued.expiresAt <= now',
    replace: 'issued.expiresAt < now',
  },
  {
    name: 'a message never gets too old',
    search: 'issued === null || issued.expiresAt <= now',
    replace: 'issued === null',
  },
  {
    name: 'a message for another address is accepted',
    search: 'issued.address !== null && issued.address !== address',
    replace: 'issued.address !== null && issued.address.length !== address.length',
  },
  {
    name: 'a full account is told that its message was used',
    search: "if (outcome === 'full') throw",
    replace: "if (outcome !== 'full' && outcome !== 'used') throw",
  },
  {
    name: 'an account is made in a transaction that nobody waits for',
    search: 'await registerMember(tx, deps.ids, attempt.login)',
    replace: 'void registerMember(tx, deps.ids, attempt.login).catch(() => undefined)',
  },
  {
    name: 'the token is stored as it is',
    search: "return hash('sha256', token, 'buffer')",
    replace: 'return Buffer.from(token)',
  },
  {
    name: 'a session lasts for fourteen days without use',
    search: 'SESSION_MS = 7 * DAY_MS',
    replace: 'SESSION_MS = 14 * DAY_MS',
  },
])

const schema = inFile('server/src/db/migrations/0120_login.sql', [
  {
    name: 'logins of one member do not take turns',
    search: 'where address = p_address for no key update;',
    replace: 'where address = p_address;',
  },
  {
    name: 'a nonce is not looked up',
    search: "if exists (select from used_nonce where nonce = p_nonce) then return 'used'; end if;",
    replace: '',
  },
  {
    name: 'two members use one nonce at the same time',
    search: "  if not found then return 'used'; end if;\n",
    replace: '',
  },
  { name: 'one device more than the limit', search: ') >= v_limit;', replace: ') > v_limit;' },
  {
    name: 'the limit of devices is never the setting',
    search: "coalesce((select value::bigint from setting where key = 'deviceLimit'), p_limit)",
    replace: 'p_limit',
  },
  {
    name: 'expired sessions take a place',
    search: 'member_id = v_member and ended_at is null and expires_at > p_now\n',
    replace: 'member_id = v_member and ended_at is null\n',
  },
  {
    name: 'ended sessions take a place',
    search: 'member_id = v_member and ended_at is null and expires_at > p_now\n',
    replace: 'member_id = v_member and expires_at > p_now\n',
  },
  {
    name: 'a full account signs its devices out unasked',
    search: 'if v_full and not p_replace then',
    replace: 'if v_full and v_limit < 0 then',
  },
  {
    name: 'the old devices stay signed in',
    search: '  if v_full then\n',
    replace: '  if v_full and not p_replace then\n',
  },
  {
    name: 'everybody is signed out when one member has too many devices',
    search: 'set ended_at = p_now where member_id = v_member and ended_at',
    replace: 'set ended_at = p_now where ended_at',
  },
  {
    name: 'replacing signs out although fewer devices than the limit are in use',
    search: '  if v_full then\n',
    replace: '  if p_replace then\n',
  },
])

const messages = inFile('server/src/modules/session/log-in/login-message.ts', [
  {
    name: 'the proof of a message is not compared',
    search: 'if (!timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(key, unproven)))) return null',
    replace: 'if (proof.length !== proofOf(key, unproven).length) return null',
  },
  {
    name: 'every installation has the same key',
    search: "createHmac('sha256', key)",
    replace: "createHmac('sha256', 'candela')",
  },
  {
    name: 'a message for any address is for the zero address',
    search: 'address === ANY_ADDRESS ? null : address',
    replace: 'address',
  },
  {
    name: 'the expiry is read from the message without its proof',
    search: 'if (line === undefined) return null',
    replace: "if (line === undefined) return { address: null, nonce: message, expiresAt: new Date('2100-01-01') }",
  },
])

const times = inFile('protocol/login-message.ts', [
  {
    name: 'messages are good for ten minutes',
    search: 'LOGIN_MESSAGE_MS = 5 * MINUTE_MS',
    replace: 'LOGIN_MESSAGE_MS = 10 * MINUTE_MS',
  },
])

const sessions = [
  ...inFile('server/src/modules/session/find-session.ts', [
    { name: 'an ended session is found', search: 'where s.ended_at is null and', replace: 'where' },
    { name: 'an expired session is found', search: ' and s.expires_at > asked.now', replace: '' },
    {
      name: 'a session is found at the very end of its time',
      search: 's.expires_at > asked.now',
      replace: 's.expires_at >= asked.now',
    },
    {
      name: 'sessions are not prolonged',
      search: 'if (seen_at.getTime() <= now',
      replace: 'if (seen_at.getTime() > now',
    },
    {
      name: 'a session is prolonged a little too late',
      search: 'if (seen_at.getTime() <= now',
      replace: 'if (seen_at.getTime() < now',
    },
    {
      name: 'a session that is used never ends',
      search: 'MAX_SESSION_MS = 30 * DAY_MS',
      replace: 'MAX_SESSION_MS = 3_000 * DAY_MS',
    },
    {
      name: 'a session ends a day too early',
      search: 'MAX_SESSION_MS = 30 * DAY_MS',
      replace: 'MAX_SESSION_MS = 29 * DAY_MS',
    },
    {
      name: 'a session that was ended meanwhile is prolonged',
      search: "\n    .where('ended_at', 'is', null)",
      replace: '',
    },
    { name: 'every session is prolonged', search: "\n    .where('token_hash', '=', tokenHash)", replace: '' },
    {
      name: 'who asks together gets the first one’s session',
      search: 'const at = Number(place) - 1',
      replace: 'const at = Number(place) * 0',
    },
  ]),
  ...inFile('server/src/modules/session/revoke-sessions.ts', [
    { name: 'sessions of others can be ended', search: "\n    .where('member_id', '=', memberId)", replace: '' },
    { name: 'a session can be ended twice', search: "\n    .where('ended_at', 'is', null)", replace: '' },
    { name: 'an expired session is ended', search: "\n    .where('expires_at', '>', now)", replace: '' },
    {
      name: 'signing out the others signs out the one that asks',
      search: "live.where('id', '<>', revocation.allBut)",
      replace: 'live',
    },
    {
      name: 'an unknown session is no error',
      search: "if ('id' in revocation && numUpdatedRows === 0n)",
      replace: "if ('id' in revocation && numUpdatedRows < 0n)",
    },
    {
      name: 'having no other device is an error',
      search: "if ('id' in revocation && numUpdatedRows === 0n)",
      replace: 'if (numUpdatedRows === 0n)',
    },
  ]),
  ...inFile('server/src/modules/session/end-session.ts', [
    { name: 'signing out signs everybody out', search: "\n    .where('id', '=', sessionId)", replace: '' },
    { name: 'signing out again changes when it was', search: "\n    .where('ended_at', 'is', null)", replace: '' },
  ]),
  ...inFile('server/src/modules/session/end-all-sessions.ts', [
    {
      name: 'the operator signs everybody out instead of one',
      search: "live.where('member_id', '=', member.id)",
      replace: 'live',
    },
    { name: 'sessions that are over count as signed out', search: "\n    .where('ended_at', 'is', null)", replace: '' },
  ]),
  ...inFile('server/src/modules/session/list-sessions.ts', [
    { name: 'devices of others are listed', search: "\n    .where('member_id', '=', memberId)", replace: '' },
    { name: 'devices that are signed out are listed', search: "\n    .where('ended_at', 'is', null)", replace: '' },
    {
      name: 'devices whose session has expired are listed',
      search: "\n    .where('expires_at', '>', now)",
      replace: '',
    },
    {
      name: 'the oldest device is listed first',
      search: ".orderBy('created_at', 'desc')",
      replace: ".orderBy('created_at', 'asc')",
    },
  ]),
  ...inFile('server/src/modules/session/sweep.ts', [
    {
      name: 'nonces are forgotten before their message expires',
      search: 'expires_at < ${before(now, KEEP_NONCE_MS)}',
      replace: 'expires_at > ${now}',
    },
    {
      name: 'nonces are forgotten while a slow login may still use them',
      search: 'KEEP_NONCE_MS = 10 * MINUTE_MS',
      replace: 'KEEP_NONCE_MS = 0 * MINUTE_MS',
    },
    {
      name: 'sessions are forgotten as soon as they end',
      search: 'KEEP_SESSION_MS = 30 * DAY_MS',
      replace: 'KEEP_SESSION_MS = 0 * DAY_MS',
    },
    {
      name: 'sessions that were signed out are kept until they expire',
      search: 'where least(expires_at, ended_at) <',
      replace: 'where expires_at <',
    },
  ]),
]

const contractChecks = [
  ...inFile('server/src/chain/signature/fair-queue.ts', [
    {
      name: 'of one name many run at the same time',
      search: '.filter((one) => !isBusy(one))',
      replace: '',
    },
    {
      name: 'who was asked last comes first',
      search: 'lastTurn(one) - lastTurn(other)',
      replace: 'lastTurn(other) - lastTurn(one)',
    },
    { name: 'they come in the order of arrival', search: 'lastTurn(one) - lastTurn(other)', replace: '0' },
    { name: 'one more may wait', search: 'waiting.length > maxWaiting', replace: 'waiting.length > maxWaiting + 1' },
    { name: 'who comes last is refused', search: 'order.lastIndexOf(Math.max(...order))', replace: 'order.length - 1' },
    { name: 'one that ends twice gives two places', search: '    if (place < 0) return\n', replace: '' },
    { name: 'one more runs', search: 'running.length < atOnce', replace: 'running.length <= atOnce' },
  ]),
  ...inFile('server/src/chain/signature/verify-signature.ts', [
    {
      name: 'many networks of one account take turns',
      search: '[addressGroup(clientAddress), signed.address]',
      replace: '[addressGroup(clientAddress)]',
    },
    {
      name: 'many accounts of one network take turns',
      search: '[addressGroup(clientAddress), signed.address]',
      replace: '[signed.address]',
    },
    { name: 'a check that ends leaves no place', search: '      leave()\n', replace: '' },
  ]),
]

export const sessionMutations: readonly Mutation[] = [
  ...logIn,
  ...schema,
  ...messages,
  ...times,
  ...sessions,
  ...contractChecks,
]
