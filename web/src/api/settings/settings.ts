import type { TransportSettings } from '@candela/client/transport'

/** Everything about calls that is a setting. Environments differ in `base`, set by VITE_API_BASE when building, `envelope` and `logging`. */
export type ApiSettings = Omit<TransportSettings, 'fetch' | 'now' | 'onAnswer'> & {
  /** Whether each request leaves a line in the console. */
  logging: boolean
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
