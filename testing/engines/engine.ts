/** A browser of any engine, as far as a journey needs one: what Playwright drives is only the Chromium of today. */
export type Engine = {
  name: string
  /** The version that the browser says of itself. */
  version: string
  goTo: (url: string) => Promise<void>
  /** Runs a function in the page with arguments that JSON can hold, and resolves to what it returns. */
  run: <Args extends readonly unknown[], Result>(
    script: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Awaited<Result>>
  /** A tap or a click at a place of the view, in CSS pixels. */
  tap: (x: number, y: number) => Promise<void>
  /** Keys, to what has the focus. */
  type: (text: string) => Promise<void>
  /** The view as a PNG. */
  picture: () => Promise<Buffer>
  close: () => Promise<void>
}

/** The size of a common phone, in CSS pixels. */
export const VIEW = { width: 390, height: 844 } as const

/** The text of a call, for engines that take scripts as texts. */
export const callText = (script: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `(${script.toString()})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
