import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { call, type CallOptions } from './call.ts'
import { ApiError } from '@candela/client/errors'

/** The code that each read was last refused with, by what was asked for; none once it has been answered. */
const refusals = new Map<string, number>()

/** After a change of account each refusal is shown again. */
export const forgetRefusals = (): void => refusals.clear()

/**
 * Behind `useRead` and `useReadPages`: a read that is repeated. A refusal is shown when it comes, and again only after
 * an answer or another refusal, so that polling does not show the same message every few seconds. `name` identifies
 * requests for the same thing. That no answer came is shown by the screen.
 */
export async function read<K extends Key>(
  name: readonly unknown[],
  key: K,
  input: CallInput<K>,
  { handled = [], ...options }: CallOptions = {},
): Promise<Data<K>> {
  const what = JSON.stringify(name)
  const shown = refusals.get(what)
  try {
    const known = shown === undefined ? handled : [...handled, shown]
    const data = await call(key, input, { ...options, handled: known, transportInPlace: true })
    refusals.delete(what)
    return data
  } catch (error) {
    if (error instanceof ApiError) refusals.set(what, error.code)
    throw error
  }
}
