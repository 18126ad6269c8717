/** No answer came that could be checked: from a node or a service that is down, busy, or does not take the question. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}
