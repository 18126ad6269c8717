import type { Mutation } from '../../../tests/mutants/mutation.ts'

/** The mutations of request ids, which lost answers and late arrivals find. */
export const requestMutations: readonly Mutation[] = [
  {
    name: 'what was given up is done when it arrives',
    file: 'server/src/db/idempotency/request-outcome.ts',
    search: '(tx) => expectFewGivenUp(tx, request))',
    replace: '() => Promise.reject(new NotWanted()))',
  },
  {
    name: 'a request that was done is told as given up',
    file: 'server/src/db/idempotency/request-outcome.ts',
    search: 'return input_key === GIVEN_UP',
    replace: "return input_key !== ''",
  },
]
