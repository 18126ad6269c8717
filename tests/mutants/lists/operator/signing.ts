import { inFile } from '../../mutation.ts'

const AT = 'server/src/operator/signing'

const executing = inFile(`${AT}/execute.ts`, [
  {
    name: 'a signature of the future is taken',
    search: 'Math.abs(now.getTime() - terms.at.getTime())',
    replace: 'now.getTime() - terms.at.getTime()',
  },
  {
    name: 'a signature is fresh for ever',
    search: 'terms.at.getTime()) > FRESH_MS',
    replace: 'terms.at.getTime()) < 0',
  },
  {
    name: 'who was removed goes on signing',
    search: 'if (operator.removed_at !== null) throw',
    replace: 'if (operator.signed < 0n) throw',
  },
  {
    name: 'the terms say themselves for what they are signed',
    search: ', command: operation.command, input: operation.input })',
    replace: ' })',
  },
  {
    name: 'the terms say themselves for which installation they are signed',
    search: '{ ...terms, service: await readService(tx), ',
    replace: '{ ...terms, ',
  },
  {
    name: 'any signature of an operator is right',
    search: 'if (!isSignedBy(operator.key, text, signature))',
    replace: "if (text === '')",
  },
  {
    name: 'a signature can be used again',
    search: 'if (terms.number !== operator.signed + 1n)',
    replace: 'if (terms.number < 1n)',
  },
  {
    name: 'numbers of an operator have gaps',
    search: 'terms.number !== operator.signed + 1n',
    replace: 'terms.number <= operator.signed',
  },
  {
    name: 'a number is not used up',
    search: '.set({ signed: terms.number })',
    replace: '.set({ signed: operator.signed })',
  },
  {
    name: 'one is enough for everything',
    search: '(await signersOf(tx, operation)) !== 2',
    replace: "operator !== ''",
  },
  {
    name: 'what needs nobody else any more is signed as a proposal',
    search: "if (operation.proposal !== undefined) throw new OperatorError('this needs",
    replace: "if (operation.proposal === 0n) throw new OperatorError('this needs",
  },
  {
    name: 'the only operator proposes',
    search: '(await countOperators(tx)) < 2',
    replace: '(await countOperators(tx)) < 1',
  },
  {
    name: 'a proposal that is over is made anew by its number',
    search: 'operation.proposal !== undefined && operation.proposal !== proposal.id',
    replace: 'operation.proposal === 0n',
  },
  {
    name: 'what two have done can be signed again',
    search: "  await endProposal(tx, proposal.id, 'done', now)\n",
    replace: '',
  },
  {
    name: 'what cannot be done is proposed',
    search: "  await operation.work(tx, now, [proposedBy, 'somebody else'])\n",
    replace: '',
  },
  {
    name: 'a proposal does what it proposes',
    search: 'await sql`rollback to savepoint before_trial`.execute(tx)\n  return {\n    proposal: id,',
    replace: 'return {\n    proposal: id,',
  },
  {
    name: 'an operator signs its own proposal',
    search: 'if (proposedBy !== operator) return [proposedBy, operator]',
    replace: 'return [proposedBy, operator]',
  },
  {
    name: 'the other operator is removed alone at once',
    search: 'proposedAt.getTime() >= ALONE_AFTER_MS',
    replace: 'proposedAt.getTime() >= 0',
  },
  {
    name: 'one of three removes another one alone',
    search: '(await operation.alone?.(tx)) === true',
    replace: 'operation.alone !== undefined',
  },
  {
    name: 'who signs second is written down as if alone',
    search: 'signature, outcome, proposal }',
    replace: 'signature, outcome, proposal: null }',
  },
  {
    name: 'a trial is done',
    search: "['you'])\n    await sql`rollback to savepoint before_trial`.execute(tx)\n",
    replace: "['you'])\n",
  },
  {
    name: 'what was read is not written down',
    search:
      "outcome: 'read' as const }\n    await tx.insertInto('operator_audit').values(row).execute()\n    return output\n  }",
    replace: "outcome: 'read' as const }\n    return row.operator ?? output\n  }",
  },
])

const keys = [
  ...inFile(`${AT}/operator-key.ts`, [
    {
      name: 'a mistyped address is registered',
      search: 'text.trim() === lower || getAddress(lower) === text.trim()',
      replace: 'text.trim().length === 42',
    },
    { name: 'a key file may be read by its group', search: '(found.mode & 0o077)', replace: '(found.mode & 0o007)' },
    {
      name: 'a wallet’s signature is anybody’s',
      search: 'recoverSigner(hashMessage(text), signature as Hex) === publicKey',
      replace: 'recoverSigner(hashMessage(text), signature as Hex) !== null',
    },
    {
      name: 'the key of another kind is taken',
      search: "if (key.asymmetricKeyType === 'ed25519') return key",
      replace: 'if (key.asymmetricKeyType !== undefined) return key',
    },
    { name: 'a folder is a key file', search: 'if (!found.isFile())', replace: 'if (found.isSocket())' },
  ]),
  ...inFile(`${AT}/create-key-file.ts`, [
    { name: 'a new key may be read by others', search: "mode: 0o600, flag: 'wx'", replace: "mode: 0o644, flag: 'wx'" },
  ]),
]

const registry = inFile(`${AT}/operators.ts`, [
  {
    name: 'who was removed counts as an operator',
    search: "    .where('removed_at', 'is', null)\n    .executeTakeFirstOrThrow()",
    replace: '    .executeTakeFirstOrThrow()',
  },
  {
    name: 'a key is registered under a second name',
    search: "eb.or([eb('name', '=', name), eb('key', '=', key)])",
    replace: "eb('name', '=', name)",
  },
  {
    name: 'the last operator is removed',
    search: '(await countOperators(tx)) === 1',
    replace: '(await countOperators(tx)) === 0',
  },
  {
    name: 'proposals of who was removed stay open',
    search: "    .set({ ended: 'withdrawn', ended_at: now })\n    .where('proposed_by', '=', name)",
    replace: "    .set({ ended: 'withdrawn', ended_at: now })\n    .where('proposed_by', '=', '')",
  },
  {
    name: 'a first operator is added beside others',
    search: "if (before !== undefined) throw new OperatorError('there is an operator already",
    replace: "if (before?.name === '') throw new OperatorError('there is an operator already",
  },
  {
    name: 'a name may look like another one',
    search: '/^[A-Za-z][A-Za-z0-9]{1,31}$/',
    replace: '/^\\p{L}[\\p{L}0-9]{1,31}$/u',
  },
  {
    name: 'the contract is not part of what is signed',
    search: "contract ${cursor?.gateway ?? 'none'}",
    replace: 'contract none',
  },
])

const proposals = inFile(`${AT}/proposals.ts`, [
  {
    name: 'a proposal that has expired lives again',
    search: 'if (open !== undefined && open.expires_at > now) return',
    replace: 'if (open !== undefined) return',
  },
  {
    name: 'a proposal is signed for another input',
    search: '      .where(sql<boolean>`md5(input::text) = md5(${input}::jsonb::text)`)\n',
    replace: '',
  },
  { name: 'a proposal is signed for another command', search: "      .where('command', '=', command)\n", replace: '' },
  {
    name: 'proposals that have expired are shown as open',
    search: "    .where('expires_at', '>', now)\n",
    replace: '',
  },
  {
    name: 'proposals that are over are shown as open',
    search: "    .where('ended', 'is', null)\n    .where('expires_at'",
    replace: "    .where('expires_at'",
  },
  { name: 'a proposal waits an hour longer', search: '72 * 3_600_000', replace: '73 * 3_600_000' },
])

const terms = inFile(`${AT}/signed-terms.ts`, [
  { name: 'the service is not signed', search: '    `service: ${service}`,\n', replace: '' },
  { name: 'the number is not signed', search: '    `number: ${number}`,\n', replace: '' },
  { name: 'the command is not signed', search: '    `command: ${command}`,\n', replace: '' },
  { name: 'the input is not signed', search: '    `input: ${canonicalJson(input)}`,\n', replace: '' },
  { name: 'the time is not signed', search: '    `time: ${at.toISOString()}`,\n', replace: '' },
  {
    name: 'the order of an input’s names is signed',
    search: 'toSorted(([one], [other]) => (one < other ? -1 : 1))',
    replace: 'toSorted(() => 0)',
  },
])

const verifying = [
  ...inFile(`${AT}/verify-audit.ts`, [
    {
      name: 'the audit takes commands of who was removed',
      search: 'if (isRemoved) return',
      replace: "if (key === '') return",
    },
    { name: 'the audit takes any key', search: 'if (row.key !== key) return', replace: "if (row.key === '') return" },
    {
      name: 'the audit misses commands that are missing',
      search: 'if (row.number !== last + 1n)',
      replace: 'if (row.number <= 0n)',
    },
    {
      name: 'the audit takes what was signed elsewhere',
      search: 'if (!row.service.startsWith(`${installation} `)) return',
      replace: "if (row.service === '') return",
    },
    {
      name: 'the audit takes any signature',
      search: 'if (!isSignedBy(key, textOf(terms), row.signature))',
      replace: "if (textOf(terms) === '')",
    },
    {
      name: 'in the audit time goes back',
      search: 'if (time < last_ms - FRESH_MS) return',
      replace: 'if (time < 0) return',
    },
    {
      name: 'the audit wants commands in the order of their signatures',
      search: 'time < last_ms - FRESH_MS',
      replace: 'time < last_ms',
    },
    {
      name: 'the audit lets a proposal be made twice',
      search: 'if (proposals.has(row.proposal)) return',
      replace: 'if (row.proposal < 0n) return',
    },
    { name: 'for the audit one is enough', search: 'const needsTwo = signers === 2 ||', replace: 'const needsTwo =' },
    {
      name: 'for the audit one is enough where the database decides',
      search: "(signers === 'decided' && history.needsTwo(row, activeOperators()))",
      replace: 'signers === undefined',
    },
    {
      name: 'for the audit the second signature may be for another input',
      search: ' && inputOf(proposed) === inputOf(row)',
      replace: '',
    },
    {
      name: 'for the audit the second signature may be for another command',
      search: 'proposed.command === row.command && ',
      replace: '',
    },
    {
      name: 'the audit takes a proposal that is over',
      search: 'if (over.has(proposal)) return',
      replace: 'if (over.size < 0) return',
    },
    {
      name: 'the audit takes a proposal of who was removed',
      search: 'if (operators.get(proposed.operator)?.isRemoved !== false) return',
      replace: 'if (operators.get(proposed.operator) === undefined) return',
    },
    {
      name: 'the audit takes a proposal at its very end',
      search: 'if (waited_ms >= WAITS_MS)',
      replace: 'if (waited_ms > WAITS_MS)',
    },
    { name: 'for the audit a proposal that was done is not over', search: '    over.add(proposal)\n', replace: '' },
    {
      name: 'for the audit one signs for two',
      search: 'if (proposed.operator !== row.operator) return undefined',
      replace: 'return undefined',
    },
    {
      name: 'for the audit one alone does anything after two days',
      search: "row.command === 'operator remove' && activeOperators()",
      replace: 'activeOperators()',
    },
    {
      name: 'for the audit one of three removes another one alone',
      search: 'activeOperators() === 2 && waited_ms',
      replace: 'waited_ms',
    },
    {
      name: 'for the audit one removes the other at once',
      search: ' && waited_ms >= ALONE_AFTER_MS',
      replace: '',
    },
    {
      name: 'for the audit a proposal that was ended is open',
      search: "if (command === 'proposal end' && id !== undefined) over.add(BigInt(id))",
      replace: '',
    },
    {
      name: 'for the audit nobody is ever removed',
      search: "if (command === 'operator remove' && known !== undefined) known.isRemoved = true",
      replace: '',
    },
    {
      name: 'the audit does not look who was removed',
      search: 'if (known.isRemoved !== (removed_at !== null))',
      replace: "if (key === '')",
    },
    {
      name: 'the audit misses an operator’s last commands',
      search: 'known.last === signed ? []',
      replace: 'known.last <= signed ? []',
    },
    {
      name: 'the audit misses an operator who is gone',
      search: '.filter((name) => !names.has(name))',
      replace: ".filter(() => names.has(''))",
    },
    {
      name: 'the audit takes new rows without a signature',
      search: 'else if (operators.size === 0) counts.unsigned += 1',
      replace: "else if (row.command !== '') counts.unsigned += 1",
    },
  ]),
  ...inFile(`${AT}/audit-history.ts`, [
    { name: 'for the audit the third operator is added by one', search: 'active > 1', replace: 'active > 2' },
    {
      name: 'for the audit a setting is always what it is by default',
      search: 'if (change !== undefined) settings.set(change.key, change.value)',
      replace: '',
    },
    {
      name: 'for the audit a large withdrawal needs one',
      search: 'approvalsOf(row).some((approval) => large.has(approval))',
      replace: 'approvalsOf(row).some((approval) => large.has(` ${approval}`))',
    },
  ]),
]

export const signingMutations = [...executing, ...keys, ...registry, ...proposals, ...terms, ...verifying]
