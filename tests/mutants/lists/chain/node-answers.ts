import { inFile, type Mutation } from '../../mutation.ts'

/** The choice of which answers of a node are taken. */
export const answerMutations: readonly Mutation[] = [
  ...inFile('server/src/chain/node/read-answers.ts', [
    {
      name: 'one refusal of a whole batch is an answer to one call',
      search: 'errors.length < calls && errors.every((error) => error !== null)',
      replace: 'errors.length < 0 && errors.every((error) => error !== null)',
    },
    {
      name: 'a batch of nothing but failed calls is refused as a whole',
      search: 'errors.length > 0 && errors.length < calls &&',
      replace: 'errors.length > 0 && errors.length <= calls &&',
    },
    {
      name: 'a status that is a failure is an answer',
      search: 'if (status < 200 || status > 299) {',
      replace: 'if (status < 200 || status > 599) {',
    },
    {
      name: 'a node that was asked too often is out of reach',
      search: "status === 429 ? 'limited' : 'unreachable'",
      replace: "status === 0 ? 'limited' : 'unreachable'",
    },
    {
      name: 'HTTP 429 with words is a refusal for good',
      search: 'const isLimited = status === 429 || isLimit(code, words)',
      replace: 'const isLimited = isLimit(code, words)',
    },
    {
      name: 'a proxy that has no room for a batch is out of reach',
      search: 'if (isBatch && isStatusOfBatch(status))',
      replace: 'if (isBatch && status === 0)',
    },
    {
      name: 'a failure of a proxy is a limit on batches',
      search: 'isBatch && isStatusOfBatch(status)',
      replace: 'isBatch && status > 299',
    },
    {
      name: 'a refusal of the whole address is a limit on batches',
      search: 'status < 500 && status !== 401 && status !== 403 && status !== 429',
      replace: 'status < 600',
    },
    {
      name: 'an empty answer has no name',
      search: "if (text === '') throw",
      replace: "if (text === ' ') throw",
    },
    {
      name: 'a web page has no name',
      search: "if (text.startsWith('<')) throw",
      replace: "if (text.startsWith('<?')) throw",
    },
    {
      name: 'JSON that is cut off is plain text',
      search: 'if (/^[[{]/.test(text)) throw',
      replace: 'if (/^[(]/.test(text)) throw',
    },
    {
      name: 'a limit in plain words is no limit',
      search: 'if (isLimit(null, text)) throw refused',
      replace: 'if (isLimit(null, status.toString())) throw refused',
    },
    {
      name: 'an error in words is no refusal',
      search: "if (typeof error === 'string') return",
      replace: "if (typeof error === 'function') return",
    },
    {
      name: 'the error of one call refuses the whole request',
      search: '(calls > 1 || error.code === null || !hasId(parsed)) ? error : null',
      replace: 'calls > 0 ? error : null',
    },
    {
      name: 'something that is no object is an answer',
      search: "if (!isObject(value)) throw badAnswer('something that is no answer')\n",
      replace: "if (value === undefined) throw badAnswer('something that is no answer')\n",
    },
    {
      name: 'an id as text is an id',
      search: "typeof id === 'number' ? open.get(id) : undefined",
      replace: 'open.get(Number(id))',
    },
    {
      name: 'answers of a batch that geth cuts off are failed calls',
      search: "if (calls.length > 1 && 'error' in answer && isAboutBatch(answer.error.message))",
      replace: "if (calls.length > 999 && 'error' in answer && isAboutBatch(answer.error.message))",
    },
    {
      name: 'an error without a code is an error',
      search: "typeof error['code'] !== 'number' || typeof error['message'] !== 'string'",
      replace: "typeof error['message'] !== 'string'",
    },
    {
      name: 'an answer is handed out by its place',
      search: "const index = typeof id === 'number' ? open.get(id) : undefined",
      replace: 'const index: number | undefined = answers.length',
    },
    {
      name: 'an answer that is missing is none',
      search: '  if (missing !== undefined)\n    throw',
      replace: '  if (missing === -1)\n    throw',
    },
    {
      name: 'of two answers to one call the last one counts',
      search: '    open.delete(id as number)\n',
      replace: '    if (calls.length === answers.length) open.clear()\n',
    },
    {
      name: 'an answer with result and error is a result',
      search: "  if (result !== undefined && result !== null) throw badAnswer('an answer with both",
      replace: "  if (result === 0) throw badAnswer('an answer with both",
    },
    {
      name: 'an answer with neither is a result',
      search: "if (result === undefined) throw badAnswer('an answer with neither",
      replace: "if (result === 0) throw badAnswer('an answer with neither",
    },
    {
      name: 'a batch of answers may stand for one',
      search: 'if (isBatch !== Array.isArray(parsed))',
      replace: 'if (isBatch && !Array.isArray(parsed))',
    },
    {
      name: 'a limit of a second is taken for a limit on batches',
      search: '(isAboutBatch(words) || !isLimit(code, words))',
      replace: '(code !== 0 || isAboutBatch(words))',
    },
  ]),
  ...inFile('server/src/chain/node/check-result.ts', [
    {
      name: 'a block of another hash is taken',
      search: "(isBlock(result) && isSame(result['hash'], hash))",
      replace: 'isBlock(result)',
    },
    {
      name: 'a block of another number is taken',
      search: "(isBlock(result) && (!isQuantity(tag) || isSameNumber(result['number'], tag)))",
      replace: 'isBlock(result)',
    },
    {
      name: 'a chain without a newest block is believed',
      search: '(result === null && isQuantity(tag)) ||',
      replace: 'result === null ||',
    },
    {
      name: 'a block is taken whatever its form is',
      search: "isHash(value['parentHash']) &&\n",
      replace: 'isFields(value) &&\n',
    },
    {
      name: 'a block without a time is taken',
      search: "isQuantity(value['timestamp']) &&\n",
      replace: 'isFields(value) &&\n',
    },
    {
      name: 'a receipt of another transaction is taken',
      search: "isSame(result['transactionHash'], hash) &&\n",
      replace: 'isFields(result) &&\n',
    },
    {
      name: 'a receipt says neither that it succeeded nor that it failed',
      search: "(result['status'] === '0x0' || result['status'] === '0x1')",
      replace: "result['status'] !== undefined",
    },
    {
      name: 'a receipt names no block',
      search: '      isInBlock(result) &&\n      (result',
      replace: '      isFields(result) &&\n      (result',
    },
    {
      name: 'another transaction is taken',
      search: "isSame(result['hash'], hash) && isQuantity(result['nonce'])",
      replace: "isQuantity(result['nonce'])",
    },
    {
      name: 'a transaction without a nonce is taken',
      search: "isSame(result['hash'], hash) && isQuantity(result['nonce'])",
      replace: "isSame(result['hash'], hash)",
    },
    {
      name: 'the node says that it has sent something else',
      search: 'isData(raw) && isSame(result, keccak256(raw as Hex))',
      replace: 'isData(raw) && isHash(result)',
    },
    {
      name: 'logs need not fit their question',
      search: 'isLog(log) && isInBlock(log) && isFields(filter) && fitsFilter(log, filter)',
      replace: 'isLog(log) && isInBlock(log)',
    },
    {
      name: 'logs may name no block',
      search: 'isLog(log) && isInBlock(log) &&',
      replace: 'isLog(log) &&',
    },
    {
      name: 'logs of another contract are taken',
      search: "!isAmong(log['address'], address) || ",
      replace: '',
    },
    {
      name: 'logs of other topics are taken',
      search: '!wanted.every((topic, index) => isAmong(found[index], topic))',
      replace: 'wanted.length > 9',
    },
    {
      name: 'logs of another block are taken',
      search: "return isSame(log['blockHash'], blockHash)",
      replace: "return isHash(log['blockHash'])",
    },
    {
      name: 'logs before the range are taken',
      search: 'const isAfter = !isQuantity(fromBlock) || ',
      replace: 'const isAfter = !isQuantity(fromBlock) || toBlock !== undefined || ',
    },
    {
      name: 'logs after the range are taken',
      search: 'return isAfter && (!isQuantity(toBlock) || ',
      replace: 'return isAfter && (!isQuantity(toBlock) || fromBlock !== undefined || ',
    },
    {
      name: 'numbers may be of any length',
      search: 'isText(/^0x[0-9a-f]{1,64}$/i)',
      replace: 'isText(/^0x[0-9a-f]*$/i)',
    },
    {
      name: 'half a byte is data',
      search: 'isText(/^0x(?:[0-9a-f]{2})*$/i)',
      replace: 'isText(/^0x[0-9a-f]*$/i)',
    },
    {
      name: 'a topic is anything',
      search: "value['topics'].every(isHash)",
      replace: "value['topics'].length >= 0",
    },
    {
      name: 'a number may be anything',
      search: 'const quantity: Check = (result) => isQuantity(result)',
      replace: 'const quantity: Check = (result) => result !== undefined',
    },
    {
      name: 'the code of a contract may be null',
      search: 'const data: Check = (result) => isData(result)',
      replace: 'const data: Check = (result) => result !== undefined',
    },
  ]),
]
