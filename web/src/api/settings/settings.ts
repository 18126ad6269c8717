/** Everything about calls that is a setting. Environments differ in the first three only. */
export type ApiSettings = {
  /** Origin of the API without a trailing slash; empty for the page's own. Set by VITE_API_BASE when building. */
  base: string
  /** Whether requests travel in the encrypted envelope, to the one path. */
  envelope: boolean
  /** Whether each request leaves a line in the console. */
  logging: boolean
  /** How long to wait for a whole answer, in milliseconds. */
  timeoutMs: number
  /** How often to ask again after no usable answer came, and how long to wait before, in milliseconds. */
  retries: number
  retryDelayMs: number
}

/** The limits of the specification. */
export const limits = { timeoutMs: 50_000, retries: 0, retryDelayMs: 1_000 } as const

/** The environment as Vite puts it in: `MODE` is "production", "devnet", or "test" where nothing was built. */
export const settingsOf = ({ MODE: mode, VITE_API_BASE: base = '' }: Environment): ApiSettings => ({
  base: base.replace(/\/+$/, ''),
  envelope: mode === 'production',
  logging: mode !== 'production' && mode !== 'test',
  ...limits,
})

type Environment = { MODE?: string; VITE_API_BASE?: string }
