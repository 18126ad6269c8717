import { type CommandParser, defineScript } from '@redis/client'

/** How many calls at once, and how many a second after that. */
export type Allowance = { burst: number; perSecond: number }

/**
 * The token bucket of `server/src/api/rate-limits.ts` as one script, so that a check is one round trip and no other one comes
 * between its steps. Of a bucket only the time is stored at which it is full again: then the key expires, because a full
 * bucket equals one that does not exist. The time is Redis's own, the same for all servers.
 */
const SCRIPT = `
local burst = tonumber(ARGV[1])
local per_ms = tonumber(ARGV[2]) / 1000
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + time[2] / 1000
local empty_ms = burst / per_ms
local missing_ms = math.max(tonumber(redis.call('GET', KEYS[1]) or '0') - now_ms, 0)
local function keep(ms) redis.call('SET', KEYS[1], string.format('%.3f', now_ms + ms), 'PX', math.ceil(ms)) end
-- More than an empty bucket needs: the clock of Redis was set back. Nobody waits for longer because of that.
if missing_ms > empty_ms then
  missing_ms = empty_ms
  keep(missing_ms)
end
local tokens = burst - missing_ms * per_ms
if tokens < 1 then return math.max(1, math.ceil((1 - tokens) / per_ms / 1000)) end
keep(missing_ms + 1 / per_ms)
return 0
`

/** Answers 0 when a token was taken, else the whole seconds to wait. */
export const takeToken = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, { burst, perSecond }: Allowance) {
    parser.pushKey(key)
    parser.push(String(burst), String(perSecond))
  },
  transformReply: (wait_s: number) => wait_s,
})
