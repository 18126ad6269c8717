import { expect, test } from 'vitest'
import { settingsOf } from './settings.ts'

const limits = { timeoutMs: 50_000, retries: 0, retryDelayMs: 1_000 }

test('production seals its requests and logs none', () => {
  expect(settingsOf({ MODE: 'production' })).toEqual({ base: '', envelope: true, logging: false, ...limits })
})

test.each(['devnet', 'development'])('%s sends them in the clear and logs them', (mode) => {
  expect(settingsOf({ MODE: mode })).toEqual({ base: '', envelope: false, logging: true, ...limits })
})

test('the base URL comes from the environment, with or without a slash at its end', () => {
  for (const base of ['https://api.example', 'https://api.example/', 'https://api.example//'])
    expect(settingsOf({ MODE: 'production', VITE_API_BASE: base }).base).toBe('https://api.example')
})
