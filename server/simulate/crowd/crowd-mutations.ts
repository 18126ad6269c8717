import type { Mutation } from '../../../tests/mutants/mutation.ts'

/** The guards that stop a crowd, taken out: each has to be found by simulated crowds. */
export const crowdMutations: readonly Mutation[] = [
  {
    name: 'a known request id is done again',
    file: 'server/src/db/idempotency/run-idempotent.ts',
    search: 'if (claimed.length === 0)',
    replace: 'if (false)',
  },
  {
    name: 'what was given up is done when it arrives',
    file: 'server/src/db/idempotency/request-outcome.ts',
    search: '(tx) => expectFewGivenUp(tx, request))',
    replace: '() => Promise.reject(new NotWanted()))',
  },
  {
    name: 'newcomers are signed first',
    file: 'server/src/modules/withdraw/payout/next-due.ts',
    search: 'order by reverted, is_first desc, id) as nth',
    replace: 'order by reverted, is_first desc, id desc) as nth',
  },
  {
    name: 'the first asset comes first in each round, and nobody else',
    file: 'server/src/modules/withdraw/payout/next-due.ts',
    search: 'const asset = assetCodes[turn % assetCodes.length]',
    replace: 'const asset = assetCodes[0]',
  },
  {
    name: 'what does not fit keeps all that is behind it waiting, from its first minute',
    file: 'server/src/modules/withdraw/payout/next-due.ts',
    search: 'FIRST_AFTER_MS = OLD_AFTER_MS',
    replace: 'FIRST_AFTER_MS = 0 * OLD_AFTER_MS',
  },
  {
    name: 'everybody has a leaf',
    file: 'protocol/proof/owed.ts',
    search: 'proofAssets.some((asset, nth) => !isDust(asset, owed[nth] ?? 0n))',
    replace: 'owed.length > 0',
  },
  {
    name: 'dust comes one by one',
    file: 'server/src/modules/deposit/dust/sort-dust.ts',
    search: 'SINGLES = 3',
    replace: 'SINGLES = 300',
  },
]
