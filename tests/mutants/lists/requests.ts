import { inFile } from '../mutation.ts'

const ids = inFile('protocol/request-id.ts', [
  { name: 'an id counts for longer than it is kept', search: '30 * DAY_MS', replace: '60 * DAY_MS' },
  { name: 'an id of any future counts', search: "return 'ahead'", replace: "return 'current'" },
  {
    name: 'what is no id counts',
    search: "madeAt >= now - REQUEST_ID_LIFE_MS ? 'current' : 'tooOld'",
    replace: "madeAt < now - REQUEST_ID_LIFE_MS ? 'tooOld' : 'current'",
  },
  { name: 'random bits of an id are left out', search: 'bits.slice(4, 19)', replace: '`0${bits.slice(4, 18)}`' },
])

const keys = inFile('server/src/db/idempotency/request-keys.ts', [
  {
    name: 'ids that are too old are taken',
    search: "if (age === 'tooOld') throw new AppError(codes.requestTooOld)",
    replace: '',
  },
  {
    name: 'ids that are ahead are taken',
    search: "if (age === 'ahead') throw invalidInput('requestId', 'dateAhead')",
    replace: '',
  },
  {
    name: 'the endpoint is no part of what was asked',
    search: '`${call.endpoint} ${sha256(stableJson(call.input))}`',
    replace: 'sha256(stableJson(call.input))',
  },
  { name: 'an amount and its text are the same', search: '{ bigint: inner.toString() }', replace: 'inner.toString()' },
  { name: 'the order of fields counts', search: '.toSorted(([a], [b]) => (a < b ? -1 : 1))', replace: '' },
])

const runs = inFile('server/src/db/idempotency/run-idempotent.ts', [
  {
    name: 'what was given up is told as other input',
    search: 'if (first.input_key === GIVEN_UP) throw new AppError(codes.requestGivenUp)',
    replace: '',
  },
  {
    name: 'other input gets the first result',
    search: 'if (first.input_key !== input) throw new AppError(codes.requestIdReused)',
    replace: '',
  },
  { name: 'a known id is done again', search: 'if (claimed.length === 0)', replace: 'if (false)' },
  {
    name: 'the first result is not kept',
    search: 'result = ${JSON.stringify(result)}::jsonb',
    replace: "result = '{}'::jsonb",
  },
])

const outcomes = inFile('server/src/db/idempotency/request-outcome.ts', [
  { name: 'asking what became of a request gives it up', search: '    throw new NotWanted()\n', replace: '' },
  {
    name: 'a request under way is unknown',
    search: "if (sqlState(error) === '55P03') return { state: 'underWay' }",
    replace: "if (sqlState(error) === '55P03') return { state: 'unknown' }",
  },
  {
    name: 'giving up writes nothing',
    search: '(tx) => expectFewGivenUp(tx, request))',
    replace: '() => Promise.reject(new NotWanted()))',
  },
  {
    name: 'what was done meanwhile is told as given up',
    search: 'if (numAffectedRows === 0n) return await findRequest(tx, request)',
    replace: '',
  },
  {
    name: 'what was given up is told as done',
    search: 'return input_key === GIVEN_UP',
    replace: "return input_key === ''",
  },
  { name: 'any number may be given up', search: 'count.given_up > MAX_GIVEN_UP', replace: 'count.given_up < 0n' },
  {
    name: 'what others give up counts',
    search: "where member_id = ${memberId} and input_key = '0",
    replace: "where input_key = '0",
  },
  { name: 'what was given up long ago counts', search: ' and created_at > ${since}', replace: '' },
  {
    name: 'a request of anybody is told',
    search: 'where member_id = ${request.memberId} and request_key',
    replace: 'where request_key',
  },
])

const sweeps = inFile('server/src/db/idempotency/sweep-requests.ts', [
  {
    name: 'requests are forgotten while their ids count',
    search: 'REQUEST_ID_LIFE_MS + REQUEST_ID_AHEAD_MS + HOUR_MS',
    replace: 'REQUEST_ID_LIFE_MS - HOUR_MS',
  },
  {
    name: 'the newest are forgotten first',
    search: 'order by created_at limit',
    replace: 'order by created_at desc limit',
  },
  { name: 'all are forgotten at once', search: ' limit ${limit}', replace: '' },
])

/** Request ids: used once, asked about, given up, swept. */
export const requestMutations = [...ids, ...keys, ...runs, ...outcomes, ...sweeps]
