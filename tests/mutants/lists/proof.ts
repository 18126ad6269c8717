import { inFile, type Mutation } from '../mutation.ts'

const AT = 'server/src/modules/proof'

const payments = inFile(`${AT}/snapshot/followed-payments.ts`, [
  {
    name: 'a payment that is not settled does not hold the block back',
    search: 'return open === null ? final : open - 1n',
    replace: 'return final',
  },
  { name: 'the block of a payment that is not settled is attested', search: 'open - 1n', replace: 'open' },
  { name: 'a payment after the final block holds the block back', search: 'and block_number <= ${final}', replace: '' },
  {
    name: 'payments in the attested block are paid later',
    search: 'block_number > ${block}',
    replace: 'block_number >= ${block}',
  },
  { name: 'payments that vanished are paid later', search: 'and not orphaned and', replace: 'and' },
  {
    name: 'payments that the ledger does not have are paid later',
    search: "state <> 'recorded' and not",
    replace: 'not',
  },
])

const small = [
  ...inFile(`${AT}/snapshot/read-range.ts`, [
    {
      name: 'who is owed dust is in no leaf',
      search: 'small = addSmall(small, { sums: owed, members: 1 })',
      replace: 'small = nothingSmall',
    },
    {
      name: 'who is owed nothing has a leaf',
      search: 'if (hasOwnLeaf(owed)) hashed',
      replace: 'if (hasOwnLeaf(owed) || owed.every((amount) => amount === 0n)) hashed',
    },
    {
      name: 'who is owed nothing counts as a member of the platform’s leaf',
      search: 'else if (owed.some((amount) => amount > 0n)) small',
      replace: 'else small',
    },
  ]),
  ...inFile(`${AT}/snapshot/take-snapshot.ts`, [
    {
      name: 'anybody but the contract has the platform’s leaf',
      search: 'platform.add(deps.gateway,',
      replace: 'platform.add(`0x${"0".repeat(40)}`,',
    },
  ]),
  ...inFile('protocol/money/dust.ts', [
    { name: 'a whole step is dust', search: 'amount < dustSteps[asset]', replace: 'amount <= dustSteps[asset]' },
  ]),
  ...inFile('protocol/proof/owed.ts', [
    {
      name: 'a leaf needs the step of every asset',
      search: 'proofAssets.some((asset',
      replace: 'proofAssets.every((asset',
    },
    {
      name: 'the fund has all that debts take',
      search: 'lent > 0n ? least(lent, value) : 0n',
      replace: 'value',
    },
    {
      name: 'the fund is owed more than debts take',
      search: 'lent > 0n ? least(lent, value) : 0n',
      replace: 'lent > 0n ? lent : 0n',
    },
    {
      name: 'shares that a debt took are still counted with what is lent',
      search: 'fund.assets - fund.idle - all.sharesWorth',
      replace: 'fund.assets - fund.idle',
    },
    { name: 'shares that a debt took share in the fund', search: 'shares - taken.shares', replace: 'shares' },
    {
      name: 'shares that debts took make all others smaller',
      search: 'const shares = fund.shares - all.shares',
      replace: 'const shares = fund.shares',
    },
    { name: 'a debt takes shares and is not less for it', search: '    left -= taken.sharesWorth\n', replace: '' },
    { name: 'the idle money of the fund is nobody’s', search: 'USDT: fund.idle + part(', replace: 'USDT: part(' },
    {
      name: 'a fund without shares is somebody’s',
      search: 'shares === 0n\n      ? { JU: 0n, USDT: 0n, HASH: 0n }',
      replace: 'shares < 0n\n      ? { JU: 0n, USDT: 0n, HASH: 0n }',
    },
  ]),
]

const hashing = inFile(`${AT}/snapshot/hash-leaves.ts`, [
  { name: 'every leaf has the same salt', search: 'salted.set(secret, 1)', replace: '' },
  { name: 'salts do not depend on the day', search: 'salted.set(context, 1 + SALT_BYTES)', replace: '' },
  { name: 'leaves do not depend on the day', search: 'preimage.set(context, 1)', replace: '' },
  {
    name: 'a leaf does not hold its member',
    search: 'preimage.set(addressBytes(member), 1 + HASH_BYTES)',
    replace: '',
  },
  { name: 'a leaf is hashed without its salt', search: 'preimage.set(salt, SALT_AT)', replace: '' },
  { name: 'leaves are lost when their memory grows', search: 'grown.set(bytes)', replace: '' },
])

const secrets = inFile(`${AT}/snapshot/leaf-secrets.ts`, [
  {
    name: 'all members have one secret',
    search: 'derived(master, `member ${memberId}`)',
    replace: 'derived(master, `member`)',
  },
  {
    name: 'padding has the same secrets on all days',
    search: 'derived(seed, `padding ${nth}`)',
    replace: "derived(createSecretKey(Buffer.from('seed')), `padding ${nth}`)",
  },
  {
    name: 'each padding leaf has the same salt',
    search: 'derived(seed, `padding ${nth}`)',
    replace: 'derived(seed, `padding`)',
  },
  {
    name: 'two workers that make the key stop each other',
    search: '.onConflict((conflict) => conflict.doNothing())',
    replace: '',
  },
  {
    name: 'the key is made anew for each snapshot',
    search: 'if (known !== null) return known',
    replace: 'if (known !== null) return Buffer.from(seed())',
  },
])

const order = inFile(`${AT}/snapshot/order-leaves.ts`, [
  {
    name: 'leaves stay in the order of members',
    search: 'Uint32Array.from(first.toSorted()',
    replace: 'Uint32Array.from(first',
  },
  {
    name: 'leaves with the same first bits stay as they came',
    search: 'at > 0 && isAfter(at - 1, at)',
    replace: 'at > at && isAfter(at - 1, at)',
  },
  {
    name: 'padding repeats what members have',
    search: 'let nth = members; nth < count',
    replace: 'let nth = members + 1; nth < count + 1',
  },
])

const members = inFile(`${AT}/snapshot/read-members.ts`, [
  {
    name: 'a loan of nobody is not seen',
    search: "if (found.borrowers !== debts.length) throw new SumsDiffer('a loan belongs to no member')",
    replace: '',
  },
  {
    name: 'a payment to nobody is not seen',
    search: "if (found.paid !== paidLater.length) throw new SumsDiffer('a payment was made to no member')",
    replace: '',
  },
  {
    name: 'members are not compared with the ledger',
    search: 'if (members + platform !== 0n)',
    replace: 'if (members + platform === 1n)',
  },
  {
    name: 'shares are not compared with the fund',
    search: 'if (found.shares !== issued)',
    replace: 'if (found.shares < 0n)',
  },
  {
    name: 'debts are left out of the comparison',
    search: "asset === 'USDT' ? -debt : collateral[asset]",
    replace: "asset === 'USDT' ? 0n : collateral[asset]",
  },
  { name: 'a debt is not taken from what is owed', search: 'debt: loans?.debt ?? 0n,', replace: 'debt: 0n,' },
  {
    name: 'collateral is not owed',
    search: 'collateral: loans?.collateral ?? { JU: 0n, HASH: 0n }',
    replace: 'collateral: { JU: 0n, HASH: 0n }',
  },
  {
    name: 'what is paid later is not owed at the block',
    search: 'paidLater: sumOf(paid),',
    replace: 'paidLater: nothing(),',
  },
  { name: 'members after the last of a range are read', search: '.filter(({ id }) => id <= upTo)', replace: '' },
  { name: 'the last member of a range is left out', search: 'id <= upTo)', replace: 'id < upTo)' },
  { name: 'shares are not owed', search: 'position.shares += balance', replace: 'position.shares += 0n' },
  {
    name: 'one of two accounts of a member counts',
    search: 'position.balances[asset] += balance',
    replace: 'position.balances[asset] = balance',
  },
  {
    name: 'ranges of threads do not add up',
    search: 'one.balances[asset] + other.balances[asset]',
    replace: 'one.balances[asset]',
  },
])

const parts = inFile(`${AT}/snapshot/store-parts.ts`, [
  {
    name: 'the collateral of a member without debt is not kept',
    search: '[debt, collateral.JU, collateral.HASH, paid',
    replace: '[debt, paid',
  },
  { name: 'what is paid later is not kept', search: ', paidLater.USDT, paidLater.HASH, paidLater.JU]', replace: ']' },
  {
    name: 'the two collaterals are mixed up',
    search: 'collateral_ju: collateral.JU',
    replace: 'collateral_ju: collateral.HASH',
  },
])

const snapshot = inFile(`${AT}/snapshot/take-snapshot.ts`, [
  { name: 'a snapshot is taken twice a day', search: 'if (known !== undefined) return false', replace: '' },
  {
    name: 'two workers that take a snapshot stop each other',
    search: '.onConflict((conflict) => conflict.doNothing())\n      .returning',
    replace: '.returning',
  },
  {
    name: 'what is held is read at another block',
    search: 'deps.holdings(block)',
    replace: 'deps.holdings({ ...block, number: block.number - 1n })',
  },
  {
    name: 'the members of the last range are left out',
    search: '(last + RANGE - 1n) / RANGE',
    replace: 'last / RANGE',
  },
  {
    name: 'sums of the root are not compared',
    search: 'if (!sameSums(root.sums, sums))',
    replace: 'if (root.sums.length === 0)',
  },
  { name: 'what was found is not compared', search: 'await compareFound(tx, given, found)', replace: '' },
  { name: 'parts are not kept', search: 'await storeParts(tx, day, parts)', replace: '' },
])

const tree = [
  ...inFile(`${AT}/tree/hash-pieces.ts`, [
    { name: 'inner nodes are hashed as leaves are', search: 'preimage[0] = 1', replace: 'preimage[0] = 0' },
    { name: 'a carry is lost', search: 'carry = digit >> 8', replace: 'carry = 0' },
    {
      name: 'a sum that is too large wraps around',
      search: "if (carry > 0) throw new RangeError('a sum is 2^128 and more')",
      replace: '',
    },
    { name: 'the right sum is left out', search: '(bytes[left + NODE_BYTES + place] ?? 0)', replace: '0' },
  ]),
  ...inFile(`${AT}/tree/build-pieces.ts`, [
    { name: 'pieces of a tier have the same number', search: 'part += 1) {', replace: 'part += 0) {' },
    { name: 'a tree ends below its root', search: 'tops.length > NODE_BYTES', replace: 'tops.length > 2 * NODE_BYTES' },
  ]),
  ...inFile(`${AT}/tree/read-path.ts`, [
    {
      name: 'a leaf is looked for in the first piece',
      search: ".orderBy('first_key', 'desc')",
      replace: ".orderBy('first_key', 'asc')",
    },
    { name: 'a position is one within its piece', search: 'piece.part * PIECE + place', replace: 'place' },
    { name: 'a path has the node instead of its sibling', search: '(at % 2 === 0 ? at + 1 : at - 1)', replace: 'at' },
  ]),
  ...inFile(`${AT}/tree/store-pieces.ts`, [
    {
      name: 'every piece has the keys of the first',
      search: 'part * PIECE * KEY_BYTES, (part + 1)',
      replace: '0, (part + 1)',
    },
  ]),
]

const answers = [
  ...inFile(`${AT}/get-owed.ts`, [
    { name: 'the parts are those of before the last posting', search: 'row.sequence + 1n', replace: 'row.sequence' },
    {
      name: 'parts are told to who joined later',
      search: '(await readJoinedAt(db, memberId)) > row.taken_at',
      replace: 'memberId === 0n',
    },
    {
      name: 'another member’s parts are told',
      search: ".where('member_id', '=', memberId)",
      replace: ".where('member_id', '>=', 0n)",
    },
    { name: 'parts of another day are told', search: ".where('day', '=', row.day)\n", replace: '' },
  ]),
  ...inFile(`${AT}/read-attested.ts`, [
    {
      name: 'what is signed only is published',
      search: ".where('a.state', '=', 'attested')\n    .$if",
      replace: ".where('a.state', '<>', 'failed')\n    .$if",
    },
    { name: 'every day has the proof of the last', search: '.$if(day !== undefined, ', replace: '.$if(day === null, ' },
    { name: 'the first attestation is shown as the last', search: "'a.day', 'desc')", replace: "'a.day', 'asc')" },
    {
      name: 'the age is that of the first attestation',
      search: ".orderBy('day', 'desc')",
      replace: ".orderBy('day', 'asc')",
    },
  ]),
  ...inFile(`${AT}/read-proof.ts`, [
    { name: 'old proofs are said to have a secret', search: 'version: 1 }', replace: 'version: 2 }' },
    {
      name: 'a salt is that of another contract',
      search: 'contextHash({ chainId: CHAIN_ID, gateway, day })',
      replace: "contextHash({ chainId: CHAIN_ID, gateway: '0x' + '1'.repeat(40), day })",
    },
  ]),
  ...inFile(`${AT}/endpoints.ts`, [
    { name: 'a part after the last is an error of ours', search: 'if (part >= parts)', replace: 'if (part > parts)' },
    { name: 'nothing owed is divided by', search: 'owed === 0n ? null :', replace: 'owed < 0n ? null :' },
    {
      name: 'a newcomer gets no clear answer',
      search: 'if (proof === null) throw new AppError(codes.notFound)',
      replace: "if (proof === null) throw new Error('none')",
    },
  ]),
]

/** Bugs in the proof of what is owed: the snapshot, its tree, and what is told of them. */
export const proofMutations: readonly Mutation[] = [
  ...payments,
  ...hashing,
  ...secrets,
  ...order,
  ...members,
  ...parts,
  ...snapshot,
  ...tree,
  ...small,
  ...answers,
]
