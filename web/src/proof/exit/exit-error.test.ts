import { expect, test } from 'vitest'
import type { ExitState } from '../../wallet/attestation.ts'
import { WalletError } from '../../wallet/errors.ts'
import { describeExitError, ExitError, expectRealTimes } from './exit-error.ts'

test.each<[string, unknown, object]>([
  ['a problem of ours', new ExitError('chooseWallet'), { problem: 'chooseWallet' }],
  ['a no in the wallet', { code: 4001, message: 'User rejected' }, { problem: 'refused' }],
  ['a no in Chinese', new Error('用户取消'), { problem: 'refused' }],
  ['a window that was closed', new WalletError('dismissed', 'The window was closed'), { problem: 'refused' }],
  ['a wallet that has gone', new WalletError('not-installed', 'The wallet has gone'), { problem: 'noWallet' }],
  ['an error of ours about the wallet', new WalletError('failed', 'No wallet is connected'), { problem: 'wallet' }],
  [
    'words of the wallet',
    { code: -32_603, message: 'Please enable Blind signing' },
    { said: 'Please enable Blind signing' },
  ],
  ['an RPC that is not there', new TypeError('Failed to fetch'), { problem: 'noAnswer' }],
  ['an answer that is no JSON', new SyntaxError('Unexpected token < in JSON'), { problem: 'noAnswer' }],
  ['nothing', undefined, { problem: 'noAnswer' }],
])('what is said of %s', (_name, error, said) => {
  expect(describeExitError(error)).toEqual(said)
})

const state: ExitState = {
  lastDay: 20_000,
  lastRoot: '0x',
  exitedAt: null,
  exitFrom: 1_800_000_000,
  sharedAgainAt: null,
  claimable: [],
  isClaimed: [],
  isClaimedAgain: [],
  canClaim: false,
  now: 1_790_000_000,
}

test('times that no calendar has are of no contract of ours', () => {
  expect(() => expectRealTimes(state)).not.toThrow()
  for (const change of [
    { lastDay: 2 ** 32 },
    { exitFrom: 2 ** 64 },
    { exitedAt: 1e15 },
    { sharedAgainAt: Number.NaN },
    { now: Number.POSITIVE_INFINITY },
  ])
    expect(() => expectRealTimes({ ...state, ...change })).toThrow(new ExitError('absurd'))
})
