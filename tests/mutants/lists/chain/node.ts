import { inFile, type Mutation } from '../../mutation.ts'
import { answerMutations } from './node-answers.ts'

/** How calls are sent to a node, and which of its answers are taken. */
export const nodeMutations: readonly Mutation[] = [
  ...answerMutations,
  ...inFile('server/src/chain/client.ts', [
    {
      name: 'a chain id that is no hexadecimal number is taken',
      search: 'if (!/^0x[0-9a-f]+$/.test(network.chainId)) throw',
      replace: 'if (network.chainId.length === 0) throw',
    },
    { name: 'a contract chooses what is requested', search: 'ccipRead: false', replace: 'ccipRead: undefined' },
    { name: 'the head is kept for a while', search: 'cacheTime: 0', replace: 'cacheTime: 60_000' },
  ]),
  ...inFile('server/src/chain/node/send-calls.ts', [
    {
      name: 'a node that only hangs up is out of reach',
      search: "if (++hungUp > 1) return { tooMany: 'the node hangs up' }",
      replace: 'if (++hungUp > 1) throw error',
    },
    {
      name: 'a connection that ends once is a limit on batches',
      search: '++hungUp > 1',
      replace: '++hungUp > 0',
    },
    {
      name: 'a node that takes no connection is asked in halves',
      search: "(error.cause.cause.code === 'ECONNRESET' || error.cause.cause.code === 'UND_ERR_SOCKET')",
      replace: "error.cause.cause.code !== ''",
    },
    {
      name: 'more travel in one request than the operator has set',
      search: 'first: Math.min(MAX_BATCH, most), most',
      replace: 'first: MAX_BATCH, most: MAX_BATCH',
    },
    {
      name: 'an error about the chain is no error',
      search: "if (answer === undefined || 'error' in answer)\n    throw",
      replace: 'if (answer === undefined)\n    throw',
    },
    {
      name: 'the answers of one request have no bound',
      search: 'if (size > MAX_BODY_BYTES) return null',
      replace: 'if (size < 0) return null',
    },
    {
      name: 'a node that answers too much is asked for as much again',
      search: "body === null ? { tooMany: 'the answers are too large' }",
      replace: 'body === null ? { answers: [] }',
    },
    {
      name: 'single calls that a node refuses for now are failed calls',
      search: '      assertNotLimited(found)\n',
      replace: '',
    },
    {
      name: 'what a node wants to be left alone for is not waited for',
      search: 'throttle.refused(retryAfter_ms)',
      replace: 'throttle.refused(retryAfter_ms === null ? null : 30_000)',
    },
    {
      name: 'the calls of a request are not counted',
      search: 'await throttle.wait(calls.length)',
      replace: 'await throttle.wait(0)',
    },
    {
      name: 'a node that answers late is out of reach',
      search: "if (error instanceof Error && error.name === 'TimeoutError') {",
      replace: "if (error instanceof Error && error.name === 'Timeout') {",
    },
    {
      name: 'no answer is waited for as long as it takes',
      search: 'signal: AbortSignal.timeout(options.timeout_ms),',
      replace: 'signal: AbortSignal.timeout(60_000),',
    },
    {
      name: 'answers stand in the order of requests',
      search: 'const answer = answers[index] as Answer',
      replace: 'const answer = answers[answers.length - 1 - index] as Answer',
    },
    {
      name: 'a call that failed has a result',
      search: "if ('error' in answer) reject(",
      replace: "if ('error' in answer && index < 0) reject(",
    },
    {
      name: 'a redirect has no name',
      search: "isRedirect(error) ? 'the address leads to another one' : 'no connection'",
      replace: "'no connection'",
    },
    {
      name: 'a batch that a node refused for its size is not borne smaller',
      search: '      batch.refused(calls.length + 1)\n',
      replace: '',
    },
    { name: 'a redirect is followed', search: "redirect: 'error'", replace: "redirect: 'follow'" },
    {
      name: 'a node on another chain is believed',
      search: 'if (found !== chainId) throw',
      replace: 'if (found === 0) throw',
    },
    {
      name: 'the chain of one answer stands for the next ones',
      search: 'await post([chainCall, ...calls])',
      replace: 'await post(calls)',
    },
    {
      name: 'a node that takes no batches is not asked for its chain',
      search: '    assertChain(answers[0], options)\n',
      replace: '',
    },
    {
      name: 'a refused batch is sent again unchanged',
      search: 'inParts(calls, half)',
      replace: 'inParts(calls, calls.length)',
    },
    {
      name: 'a node that refuses everything is taken for one that takes no batches',
      search: "    if ('tooMany' in found) {\n",
      replace: "    if ('tooMany' in found) {\n      batch.refused(calls.length + 1)\n",
    },
    { name: 'the form of results is not checked', search: '    checkResult(call, result)\n', replace: '' },
    {
      name: 'a node that was asked too often is asked again at once and for ever',
      search: 'attempt === ATTEMPTS_WHEN_LIMITED',
      replace: 'attempt === 0',
    },
    {
      name: 'a password of the URL is sent nowhere',
      search: 'authorization: `Basic',
      replace: 'other: `Basic',
    },
  ]),
  ...inFile('server/src/chain/node/learned-limit.ts', [
    {
      name: 'more is asked for than is set',
      search: 'return Math.min(most, Math.max(first, 2 * borne))',
      replace: 'return Math.max(first, 2 * borne)',
    },
    {
      name: 'it goes up by one',
      search: 'Math.max(first, 2 * borne)',
      replace: 'Math.max(first, borne + 1)',
    },
    {
      name: 'less than one is asked for',
      search: 'refusedAt = Math.max(2, Math.min(refusedAt, amount))',
      replace: 'refusedAt = Math.min(refusedAt, amount)',
    },
    {
      name: 'what was refused is asked for again at once',
      search: 'const isNear = refusedAt - borne <= Math.max(1, borne >> 3)',
      replace: 'const isNear = refusedAt - borne <= 0',
    },
    {
      name: 'a limit that has fallen is not followed',
      search: '      if (borne >= refusedAt) borne = 0\n',
      replace: '',
    },
    {
      name: 'a limit is never tried again',
      search: 'uses > TRIED_AGAIN_AFTER',
      replace: 'uses > 1_000_000',
    },
  ]),
  ...inFile('server/src/chain/node/throttle.ts', [
    {
      name: 'calls have no limit a second',
      search: '(inWindow === 0 || inWindow + calls <= limit.current())',
      replace: 'inWindow >= 0',
    },
    {
      name: 'a pause may be as long as a node says',
      search: 'Math.min(retryAfter_ms ?? SECOND_MS, LONGEST_PAUSE_MS)',
      replace: 'retryAfter_ms ?? SECOND_MS',
    },
    {
      name: 'who asks last is served first',
      search: 'turn = turn.then(() => mayGo(calls))',
      replace: 'turn = mayGo(calls)',
    },
    {
      name: 'a refusal teaches nothing',
      search: 'limit.refused(ofLastSecond())\n',
      replace: '\n',
    },
  ]),
  ...inFile('server/src/chain/node/node-gaps.ts', [
    {
      name: 'a node that does not answer lacks nothing',
      search: 'if (checks.length === 0 || checks.some(({ isAnswered }) => !isAnswered)) return\n',
      replace: '',
    },
    {
      name: 'the worst node counts',
      search: 'a.length - b.length',
      replace: 'b.length - a.length',
    },
    {
      name: 'a node that lacks something is named each minute',
      search: 'names.join() !== found[index]?.join()',
      replace: 'names.join() !== undefined',
    },
    {
      name: 'a node that lacks something is looked at each hour',
      search: 'missing()?.length === 0 ? HOUR_MS : MINUTE_MS',
      replace: 'HOUR_MS',
    },
    {
      name: 'an old head is something that a node lacks',
      search: "['chain and head', 'synchronised', 'bloom filters']",
      replace: "['synchronised', 'bloom filters']",
    },
  ]),
  ...inFile('server/src/chain/node/check-node.ts', [
    {
      name: 'a head of the day before is new',
      search: 'Math.abs(age_s) <= MAX_HEAD_AGE_S',
      replace: 'age_s >= 0',
    },
    {
      name: 'a node that synchronises is ready',
      search: 'ok: syncing === false, found',
      replace: 'ok: true, found',
    },
    {
      name: 'a node that answers for no block knows states by block hash',
      search: 'return { ok: !isBlind,',
      replace: 'return { ok: true,',
    },
    {
      name: 'a node without states has them',
      search: "if (error instanceof RpcError && error.failure !== 'refused') throw error\n    return false",
      replace: "if (error instanceof RpcError && error.failure !== 'refused') throw error\n    return true",
    },
    {
      name: 'what a node does not answer it lacks',
      search: 'const isAnswered = !(error instanceof RpcError && noAnswer.includes(error.failure))',
      replace: 'const isAnswered = error instanceof Error',
    },
  ]),
]
