import { inFile } from '../../mutation.ts'

const AT = 'web/src/proof'

const checking = inFile(`${AT}/check-proof.ts`, [
  {
    name: 'the page takes any path',
    search: "checkPath(proof) === null ? 'good'",
    replace: "checkPath(proof) !== '' ? 'good'",
  },
  { name: 'the page takes any root', search: '  attested.root === proof.root.hash &&\n', replace: '' },
  {
    name: 'the page takes a tree of another size',
    search: '  attested.leaves === 2n ** BigInt(proof.path.length) &&\n',
    replace: '',
  },
  { name: 'the page takes another block', search: '  attested.block === BigInt(proof.block) &&\n', replace: '' },
  {
    name: 'the page takes another sequence',
    search: '&&\n  attested.ledgerSequence === BigInt(proof.ledgerSequence)',
    replace: '',
  },
  {
    name: 'the page takes any sums',
    search: 'attested !== null && sameSums(toSums(proof.root.sums), attested.sums as [bigint, bigint, bigint])',
    replace: 'attested !== null',
  },
  { name: 'more has to be held than is owed', search: '>= owed)', replace: '> owed)' },
  {
    name: 'one asset that is held is enough',
    search: 'toSums(proof.root.sums).every(',
    replace: 'toSums(proof.root.sums).some(',
  },
  { name: 'what is held now is taken for what was held', search: "isNow ? 'unknown' : 'bad'", replace: "'bad'" },
  { name: 'what was held is not known', search: "isNow ? 'unknown' : 'bad'", replace: "'unknown'" },
  { name: 'the parts may be of another day', search: 'parts.day === proof.day && ', replace: '' },
  {
    name: 'the parts may be of another sequence',
    search: ' && BigInt(parts.ledgerSequence) === BigInt(proof.ledgerSequence)',
    replace: '',
  },
  {
    name: 'the leaf need not follow from its parts',
    search: ' && sameSums(owedByParts(parts), toSums(proof.leaf.owed))',
    replace: '',
  },
  { name: 'each leaf is the platform’s', search: 'leaf.member === gateway', replace: "leaf.member !== ''" },
  { name: 'who is owed enough for a leaf needs none', search: ' && !hasOwnLeaf(owedByParts(parts))', replace: '' },
  { name: 'one balance of the statement is enough', search: 'balances.every(', replace: 'balances.some(' },
  {
    name: 'what is set aside is not compared',
    search: "(['available', 'held'] as const)",
    replace: "(['available'] as const)",
  },
])

const contract = inFile(`${AT}/known-contract.ts`, [
  {
    name: 'the page takes a proof of another chain',
    search: 'if (chainId !== CHAIN_ID)',
    replace: 'if (chainId === 0)',
  },
  {
    name: 'what the device remembers is above what was built in',
    search: "built ?? storage.get('gateway')",
    replace: "storage.get('gateway') ?? built",
  },
  {
    name: 'where nothing is known each contract is',
    search: 'return expected === gateway.toLowerCase()',
    replace: 'return expected === null || expected === gateway.toLowerCase()',
  },
  {
    name: 'each contract is known',
    search: 'return expected === gateway.toLowerCase()',
    replace: "return expected !== ''",
  },
  {
    name: 'the last contract is remembered',
    search: "if (storage.get('gateway') === null)",
    replace: "if (gateway !== '')",
  },
  {
    name: 'the spelling of the contract is remembered',
    search: "'gateway', gateway.toLowerCase())",
    replace: "'gateway', gateway)",
  },
])

const files = [
  ...inFile(`${AT}/open-file.ts`, [
    { name: 'a file of any size is read', search: 'file.size > MAX_PROOF_BYTES ?', replace: 'file.size < 0 ?' },
    { name: 'a text of any size is a proof', search: 'if (text.length > MAX_PROOF_BYTES) return null\n', replace: '' },
  ]),
  ...inFile(`${AT}/proof-by-tree.ts`, [
    {
      name: 'the tree leads to any root',
      search: 'if (toHex(root.hash) !== last.root)',
      replace: "if (last.root === '')",
    },
    { name: 'trees of any size are read', search: 'all_bytes > MAX_TREE_BYTES', replace: 'all_bytes < 0' },
    {
      name: 'a line of any length is kept',
      search: 'if (rest.length > MAX_PART_BYTES)',
      replace: 'if (rest.length < 0)',
    },
    { name: 'blank lines are no tree', search: "text.trim() === '' && file.size > 0", replace: "text.trim() === ' '" },
    { name: 'an empty file is a tree', search: ' && file.size > 0\n', replace: '\n' },
    {
      name: 'parts of another tree are left out in silence',
      search: '!parts.every((part) => tree.add(part))',
      replace: 'parts.filter((part) => tree.add(part)).length < 0',
    },
    {
      name: 'sums that do not fit are an error',
      search: 'if (error instanceof RangeError)',
      replace: 'if (error === null)',
    },
    { name: 'what is done goes back', search: '(1 + made / all) / 2', replace: 'made / all / 2' },
  ]),
]

const shown = [
  ...inFile(`${AT}/owed-lines.ts`, [
    { name: 'a debt adds to what is owed', search: 'amount: -taken[asset]', replace: 'amount: taken[asset]' },
    { name: 'lines of a debt are not shown', search: 'amount !== 0n', replace: 'amount > 0n' },
    { name: 'lines of zero are shown', search: 'lines.filter(({ amount }) => amount !== 0n)', replace: 'lines' },
    { name: 'what was paid later is not shown', search: 'BigInt(parts.paidLater[asset])', replace: '0n' },
    { name: 'what is set aside is not shown', search: 'BigInt(parts.held[asset])', replace: '0n' },
  ]),
  ...inFile(`${AT}/solvency-state.ts`, [
    {
      name: 'what is just not too old is',
      search: 'ageSeconds > maxAgeSeconds',
      replace: 'ageSeconds >= maxAgeSeconds',
    },
    { name: 'covered by exactly what is owed is short', search: '>= WHOLE_UNIT', replace: '> WHOLE_UNIT' },
    {
      name: 'what is owed in no asset is short',
      search: 'lowest === null || toBaseUnits',
      replace: 'lowest !== null && toBaseUnits',
    },
  ]),
]

const wayOut = [
  ...inFile(`${AT}/exit/exit-error.ts`, [
    {
      name: 'a time that is no number is shown',
      search: '!(at_s <= MAX_DAY * DAY_S)',
      replace: 'at_s > MAX_DAY * DAY_S',
    },
    { name: 'a day that no calendar has is shown', search: '!(lastDay <= MAX_DAY) || ', replace: '' },
    { name: 'a window that was closed is a fault', search: "  dismissed: 'refused',\n", replace: '' },
    {
      name: 'what a wallet says is not shown',
      search: 'if (known.said !== null) return { said: known.said }',
      replace: '',
    },
    {
      name: 'our own problems are the wallet’s',
      search: 'if (error instanceof ExitError) return { problem: error.problem }',
      replace: '',
    },
  ]),
  ...inFile(`${AT}/exit/wait-for-receipt.ts`, [
    {
      name: 'a transaction that did nothing is done',
      search: 'if (receipt !== null && Number(receipt.status) !== 1) throw',
      replace: 'if (receipt === undefined) throw',
    },
    {
      name: 'a receipt with a number is a fault',
      search: 'Number(receipt.status) !== 1',
      replace: "receipt.status !== '0x1'",
    },
    {
      name: 'what is in no block yet is done',
      search: 'if (receipt !== null) return',
      replace: 'if (receipt !== undefined) return',
    },
  ]),
]

const login = inFile('web/src/session/sign-in/login-message.ts', [
  {
    name: 'a login of another account is signed',
    search: 'address.toLowerCase() !== account.toLowerCase() || ',
    replace: '',
  },
  { name: 'a login of another site is signed', search: ' || !isSameSite(uri, origin)', replace: '' },
  { name: 'a login with any nonce is signed', search: '!/^[0-9a-f]{64}$/.test(nonce) || ', replace: '' },
  { name: 'a login of no time ends in an error', search: ' || Number.isNaN(issuedAt.getTime())', replace: '' },
  {
    name: 'more than a login is signed',
    search: 'return message === loginMessageText({ domain: new URL(uri).host, uri }, { address, nonce, issuedAt })',
    replace:
      'return message.startsWith(loginMessageText({ domain: new URL(uri).host, uri }, { address, nonce, issuedAt }))',
  },
  { name: 'any machine is one’s own', search: 'isThisMachine(named.hostname) && ', replace: '' },
  { name: 'any site logs in to one’s own machine', search: ' && isThisMachine(new URL(origin).hostname)', replace: '' },
  {
    name: 'a name in front of the host is the host',
    search: 'named?.origin === uri && ',
    replace: 'named !== null && ',
  },
])

export const webProofMutations = [...checking, ...contract, ...files, ...shown, ...wayOut]
export const loginMessageMutations = login
