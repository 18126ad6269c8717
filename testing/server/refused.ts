import { isAppError } from '@candela/server/kernel/errors'

/** The code that a call is refused with, or 'accepted'. @throws what is no refusal */
export async function refused(call: Promise<unknown>): Promise<number | 'accepted'> {
  try {
    await call
    return 'accepted'
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}
