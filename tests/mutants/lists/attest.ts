import { inFile, type Mutation } from '../mutation.ts'

const AT = 'server/src/modules/proof/attest'

const rounds = inFile(`${AT}/attest-round.ts`, [
  {
    name: 'a day is attested before its close',
    search: '* MINUTE_MS + AFTER_CLOSE_MS',
    replace: '* MINUTE_MS - AFTER_CLOSE_MS',
  },
  {
    name: 'the minutes of the close do not count',
    search: 'Math.min(closeMinutes, LATEST_CLOSE_MINUTES) * MINUTE_MS',
    replace: '0',
  },
  {
    name: 'a late close keeps a day from being attested',
    search: 'Math.min(closeMinutes, LATEST_CLOSE_MINUTES)',
    replace: 'closeMinutes',
  },
  { name: 'a day is attested again', search: 'if (known !== undefined) return false', replace: '' },
  { name: 'what an operator asked for is forgotten', search: 'return asked !== undefined', replace: 'return false' },
  { name: 'two attestations are under way', search: 'if (isUnderWay) return false', replace: '' },
  { name: 'an overdue attestation is said in each round', search: 'state.alarmedAt = now.getTime()', replace: '' },
  { name: 'the alarm comes after 37 hours', search: 'OVERDUE_MS = 36 * HOUR_MS', replace: 'OVERDUE_MS = 37 * HOUR_MS' },
  { name: 'a refusal is said in each round', search: "state.refusal = refusal ?? ''", replace: '' },
  {
    name: 'sums that differ are said in each round',
    search: 'state.refusal = error.message',
    replace: '',
  },
  {
    name: 'sums that differ end the worker',
    search: 'if (!(error instanceof SumsDiffer)) throw error',
    replace: 'throw error',
  },
])

const signed = inFile(`${AT}/follow-signed.ts`, [
  {
    name: 'the cheapest that was signed is followed',
    search: "'t.gas_price', 'desc')\n    .limit(1)\n    .executeTakeFirst()\n  if (row",
    replace: "'t.gas_price', 'asc')\n    .limit(1)\n    .executeTakeFirst()\n  if (row",
  },
  {
    name: 'an attestation is over before its nonce is used',
    search: 'payer)) <= nonce) return null',
    replace: 'payer)) < nonce) return null',
  },
  {
    name: 'what another transaction attested counts as ours',
    search: 'last.root === root',
    replace: "last.root !== ''",
  },
  {
    name: 'a failed one stays as if it were attested',
    search: ": { state: 'failed' })",
    replace: ": { state: 'attested' })",
  },
  { name: 'the others that were signed are kept', search: "'hash', '<>', mined)", replace: "'hash', '=', '')" },
  { name: 'the one that was mined is thrown away', search: "'hash', '<>', mined)", replace: "'hash', '=', mined)" },
  {
    name: 'a reverted transaction counts as mined',
    search: 'receipt?.succeeded === true',
    replace: 'receipt !== null',
  },
  { name: 'a stuck one is never signed again', search: 'if (!isOld || open.payer', replace: 'if (isOld || open.payer' },
  { name: 'a new one is signed again at once', search: '- payoutStuckSeconds * 1000', replace: '' },
  { name: 'another key signs again at the same nonce', search: ' || open.payer !== signer.address', replace: '' },
  {
    name: 'one that is mined is signed again',
    search: ' > open.nonce) return open',
    replace: ' > open.nonce + 1n) return open',
  },
  {
    name: 'a dearer one is signed for the next nonce',
    search: 'sign({ nonce: open.nonce,',
    replace: 'sign({ nonce: open.nonce + 1n,',
  },
  { name: 'two workers store a dearer one each', search: 'if (!(await isNewest(tx, open))) return false', replace: '' },
  {
    name: 'it is offered in each round',
    search: ' > now.getTime() - OFFER_AGAIN_MS) return',
    replace: ' > now.getTime()) return',
  },
  {
    name: 'it is offered once only',
    search: 'triedAt.getTime() > now.getTime() - OFFER_AGAIN_MS',
    replace: 'triedAt.getTime() > 0',
  },
  {
    name: 'why the node refused is not kept',
    search: "sent.result === 'refused' ? sent.reason : null",
    replace: 'null',
  },
])

const signing = inFile(`${AT}/sign-attestation.ts`, [
  {
    name: 'another block is attested than that of the snapshot',
    search: 'block: row.block_number',
    replace: 'block: row.block_number + 1n',
  },
  {
    name: 'another sequence is attested than that of the snapshot',
    search: 'sequence: row.sequence',
    replace: 'sequence: row.sequence + 1n',
  },
  { name: 'half of the leaves are attested', search: '2 ** row.depth', replace: '2 ** (row.depth - 1)' },
  {
    name: 'what the contract refuses is signed',
    search: 'if (seen.agreed.isRefused) {',
    replace: 'if (seen.agreed.isRefused && terms.leaves < 0) {',
  },
  {
    name: 'any price of gas is paid',
    search: 'if (gasPrice > (await maxGasPrice(db)))',
    replace: 'if (gasPrice < 0n)',
  },
  { name: 'the nonce is not taken', search: 'await useNonce(tx, signer.address, nonce)', replace: '' },
  {
    name: 'a refused nonce is used',
    search: "if (typeof nonce !== 'bigint') return nonce.refused",
    replace: "if (typeof nonce !== 'bigint') throw new Error('refused')",
  },
])

const asked = inFile(`${AT}/request-attestation.ts`, [
  { name: 'an attested day can be asked for', search: 'if (known !== undefined) return false', replace: '' },
  { name: 'asking twice is an error', search: '.onConflict((conflict) => conflict.doNothing())', replace: '' },
])

const watched = inFile(`${AT}/watch-contract.ts`, [
  {
    name: 'a stranger’s attestation passes for ours',
    search: 'if (ours !== undefined) return true',
    replace: 'return true',
  },
  { name: 'every attestation is a stranger’s', search: 'if (ours !== undefined) return true', replace: '' },
  {
    name: 'one that says that nothing is owed is never a stranger’s',
    search: 'return any === undefined && sameSums(sums, noSums)',
    replace: 'return sameSums(sums, noSums)',
  },
  {
    name: 'the first attestation is never a stranger’s',
    search: 'return any === undefined && sameSums(sums, noSums)',
    replace: 'return any === undefined',
  },
  {
    name: 'a stranger’s attestation is told in each round',
    search: 'if (known?.root === last.root && known.is_foreign === isForeign) return false',
    replace: '',
  },
])

/** Bugs in attesting on chain what is owed. */
export const attestMutations: readonly Mutation[] = [...rounds, ...signed, ...signing, ...asked, ...watched]
