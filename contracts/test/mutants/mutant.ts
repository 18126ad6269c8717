/** One mutant: the only occurrence of `search` in the contract becomes `replace`. */
export interface Mutant {
  bug: string
  search: string
  replace: string
  /** Below `contracts/src`; the gateway if left out. */
  file?: string
}
