/** Before each further try, in milliseconds. */
export const PAUSES_MS = [500, 2_000]

export type TryAgainParts = { isOnline: () => boolean; pause: (ms: number) => Promise<unknown> }

/**
 * Fetches a file of the app, up to three times: browsers give up all requests under way when a phone changes its network. Without a
 * connection there is one try, so that whoever waits is told at once. Rejects with the last error.
 */
export async function tryAgain<File>(
  fetchFile: () => Promise<File>,
  { isOnline, pause }: TryAgainParts,
): Promise<File> {
  for (const ms of PAUSES_MS) {
    try {
      return await fetchFile()
    } catch (error) {
      if (!isOnline()) throw error
      await pause(ms)
    }
  }
  return fetchFile()
}
