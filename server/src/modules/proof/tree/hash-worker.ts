import { hashPieces } from './hash-pieces.ts'

/** What the worker threads run. */
export default hashPieces
