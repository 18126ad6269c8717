import type { Mutation } from '../../../tests/mutants/mutation.ts'

/** The mutations of what is owed, and of its attestations. */
export const proofMutations: readonly Mutation[] = [
  {
    name: 'a leaf lacks what was paid after the attested block',
    file: 'server/src/modules/proof/snapshot/read-members.ts',
    search: 'paidLater: sumOf(paid),',
    replace: 'paidLater: nothing(),',
  },
  {
    name: 'a leaf lacks what is set aside for withdrawals, and nothing is compared with the ledger',
    file: 'server/src/modules/proof/snapshot/read-members.ts',
    search: "else if (asset !== 'SHARE') position",
    replace: "else if (asset !== 'SHARE' && account !== 'memberHeld') position",
    more: [
      {
        file: 'server/src/modules/proof/snapshot/read-members.ts',
        search: 'if (members + platform !== 0n)',
        replace: "if (asset === ('' as never))",
      },
    ],
  },
  {
    name: 'payments that the ledger has not settled count as before the snapshot',
    file: 'server/src/modules/proof/snapshot/followed-payments.ts',
    search: 'return open === null ? final : open - 1n',
    replace: 'return open === null ? final : final',
  },
  {
    name: 'more is attested than is in the leaves',
    file: 'server/src/modules/proof/attest/sign-attestation.ts',
    search: 'sums: sumsOf(row),',
    replace: 'sums: [row.owed_usdt + 1n, row.owed_hash, row.owed_ju] as const,',
  },
  {
    name: 'a later block is attested than that of the snapshot',
    file: 'server/src/modules/proof/attest/sign-attestation.ts',
    search: 'block: row.block_number,',
    replace: 'block: row.block_number + 2n,',
  },
  {
    name: 'the tree of another gateway is attested',
    file: 'server/src/modules/proof/snapshot/take-snapshot.ts',
    search: 'contextHash({ chainId: CHAIN_ID, gateway, day })',
    replace: "contextHash({ chainId: CHAIN_ID, gateway: `0x${'0'.repeat(40)}`, day })",
  },
  {
    name: 'a proof says another secret than its salt follows from',
    file: 'server/src/modules/proof/read-proof.ts',
    search: 'secret: toHex(secret) }',
    replace: 'secret: toHex(salt) }',
  },
  {
    name: 'the nonce of an attestation is given again',
    file: 'server/src/modules/proof/attest/sign-attestation.ts',
    search: '    await useNonce(tx, signer.address, nonce)\n',
    replace: '',
  },
  {
    name: 'two workers store an attestation that is signed again',
    file: 'server/src/modules/proof/attest/follow-signed.ts',
    search: '    if (!(await isNewest(tx, open))) return false\n',
    replace: '',
  },
]
