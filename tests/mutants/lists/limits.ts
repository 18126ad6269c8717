import { inFile, type Mutation } from '../mutation.ts'

/** Bounds of what a member may do for nothing. */
export const depositMutations: readonly Mutation[] = inFile('server/src/modules/deposit/get-order.ts', [
  {
    name: 'any number of deposits may be open',
    search: 'if (open.length >= settings.openDeposits) throw',
    replace: 'if (open.length < 0) throw',
  },
  {
    name: 'one deposit more than allowed may be open',
    search: '.limit(settings.openDeposits)\n    .execute()\n  if (open.length >= settings',
    replace: '.limit(settings.openDeposits + 1)\n    .execute()\n  if (open.length > settings',
  },
  {
    name: 'deposits that are announced at once are not counted',
    search: "  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().execute()\n",
    replace: '',
  },
  {
    name: 'deposits that were paid count as open',
    search: "\n    .where('r.chain_event_id', 'is', null)",
    replace: '',
  },
  {
    name: 'deposits that have lapsed count as open',
    search: "\n    .where('d.created_at', '>', new Date(now.getTime() - settings.depositHours * HOUR_MS))",
    replace: '',
  },
  { name: 'deposits of everybody count', search: "\n    .where('d.member_id', '=', memberId)", replace: '' },
])

export const transferMutations: readonly Mutation[] = inFile('server/src/modules/transfer/daily-budget.ts', [
  { name: 'any number of transfers a day', search: 'if (today.made >= limit)', replace: 'if (today.made < 0)' },
  { name: 'one transfer a day too many', search: 'if (today.made >= limit)', replace: 'if (today.made > limit)' },
  {
    name: 'a day never begins anew',
    search: 'const made = today.day === utcDay(now) ? today.made : 0',
    replace: 'const made = today.made',
  },
  { name: 'transfers of another server never count', search: '< COUNT_MS', replace: '>= 0' },
  {
    name: 'only transfers of one asset count',
    search: 'place * assetCodes.length, (place + 1) * assetCodes.length)',
    replace: 'place * assetCodes.length, place * assetCodes.length + 1)',
  },
  {
    name: 'a member is counted with the transfers of another',
    search: 'spent.slice(place * assetCodes.length, (place + 1)',
    replace: 'spent.slice(0, (place + 1)',
  },
  {
    name: 'transfers of the day before count',
    search: 'since: startOfDay(utcDay(now)),',
    replace: 'since: new Date(0),',
  },
  { name: 'a transfer that failed counts', search: '(today.made -= 1)', replace: '(today.made -= 0)' },
])

/** The state that servers share through Redis. */
export const sharedMutations: readonly Mutation[] = [
  ...inFile('server/src/api/rate-limits.ts', [
    {
      name: 'without Redis every call is over its limit',
      search: '      onUnshared?.()\n      return own_s',
      replace: '      onUnshared?.()\n      return 1',
    },
    { name: 'calls without Redis are not counted', search: '      onUnshared?.()\n', replace: '' },
    {
      name: 'a server without Redis has no limit of its own',
      search: 'if (own_s > 0 || redis === undefined) return own_s',
      replace: 'if (redis === undefined) return own_s',
      more: [
        {
          file: 'server/src/api/rate-limits.ts',
          search: '      onUnshared?.()\n      return own_s',
          replace: '      onUnshared?.()\n      return 0',
        },
      ],
    },
    {
      name: 'each server has limits of its own also with Redis',
      search: '    return shared_s\n',
      replace: '    return own_s\n',
    },
    {
      name: 'what another server makes wait is taken from the own limit',
      search: '    if (shared_s > 0) buckets.putBack(key, allowance)\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/http/gateway/used-handshakes.ts', [
    {
      name: 'an envelope that cannot be checked is accepted',
      search: "if (isFirst === undefined) return 'unknown'",
      replace: "if (isFirst === undefined) return 'first'",
    },
    {
      name: 'an envelope that another server has accepted is accepted',
      search: "return isFirst ? 'first' : 'used'",
      replace: "return 'first'",
    },
    {
      name: 'a server forgets its own handshakes with Redis',
      search: 'if (!own.use(handshake, timestamp_ms)) return',
      replace: 'if (redis === undefined && !own.use(handshake, timestamp_ms)) return',
    },
    {
      name: 'a handshake is forgotten before its envelope is too old',
      search: 'timestamp_ms + ENVELOPE_WINDOW_MS + CLOCKS_DIFFER_MS - clock',
      replace: 'timestamp_ms + CLOCKS_DIFFER_MS - clock',
    },
  ]),
  ...inFile('server/src/redis/open-redis.ts', [
    {
      name: 'a handshake is stored also where it is there',
      search: "{ condition: 'NX', expiration }",
      replace: '{ expiration }',
    },
    { name: 'handshakes never expire', search: "{ condition: 'NX', expiration }", replace: "{ condition: 'NX' }" },
    {
      name: 'every call waits for a Redis that is silent',
      search: '    if (answersWithin_ms > limit_ms) return undefined\n',
      replace: '',
    },
    {
      name: 'questions wait in memory for a connection',
      search: 'disableOfflineQueue: true',
      replace: 'disableOfflineQueue: false',
    },
    {
      name: 'keys hold addresses and handshakes as they are',
      search: "createHash('sha256').update(name).digest('base64url').slice(0, 22)",
      replace: "createHash('sha256').update(name).digest('base64url') && name",
    },
  ]),
  ...inFile('server/src/redis/token-bucket.ts', [
    { name: 'buckets never expire', search: ", 'PX', math.ceil(ms))", replace: ')' },
    {
      name: 'a clock that was set back keeps everybody out',
      search: '  missing_ms = empty_ms\n  keep(missing_ms)\n',
      replace: '',
    },
    { name: 'no token is taken', search: 'keep(missing_ms + 1 / per_ms)', replace: 'keep(missing_ms)' },
  ]),
  ...inFile('server/src/http/gateway/gateway.ts', [
    {
      name: 'an envelope that cannot be checked is opened',
      search: "if (use === 'unknown') {",
      replace: "if (use === 'unknown' && opened === null) {",
    },
  ]),
]
