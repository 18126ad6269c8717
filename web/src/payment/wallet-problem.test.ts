import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { catalogs } from '../i18n/testing-catalogs.ts'
import { locale } from '../i18n/language.ts'
import { translator } from '../i18n/translate.ts'
import { WalletError, type WalletErrorKind } from '../wallet/errors.ts'
import { describeProblem, showWalletProblem, type Wanted } from './wallet-problem.ts'

vi.mock('../api/public-data.ts', () => ({ requiredNetwork: () => Promise.resolve({ chainId: '0x33450' }) }))

const address = `0x${'ab'.repeat(20)}`
const en = catalogs.en

beforeAll(() => locale.set({ language: 'en', t: translator(en) }))
afterEach(() => vi.restoreAllMocks())

describe('what is said when a wallet has not done what was wanted', () => {
  test.each<[WalletErrorKind, Wanted, string | null]>([
    ['refused', 'payment', en['pay.refused']],
    ['refused', 'approval', en['pay.approvalRefused']],
    ['cancelled', 'payment', en['pay.cancelled']],
    ['no-gas', 'payment', en['pay.noGas']],
    ['no-gas', 'approval', en['pay.noGas']],
    ['busy', 'payment', en['pay.busy']],
    ['busy', 'signature', en['pay.busy']],
    ['silent', 'signature', en['pay.silent']],
    ['no-relay', 'payment', en['pay.noRelay']],
    ['given-up', 'payment', en['pay.givenUp']],
    ['given-up', 'approval', en['pay.givenUpApproval']],
    ['would-revert', 'payment', en['pay.wouldRevert']],
    ['reverted', 'payment', en['pay.reverted']],
    ['reverted', 'approval', en['pay.approvalFailed']],
    ['failed', 'payment', en['pay.failed']],
    ['failed', 'signature', en['pay.walletFailed']],
    ['not-installed', 'signature', en['pay.noWallet']],
    // A person who has closed the list of wallets, or stopped waiting for a connection, knows it.
    ['not-chosen', 'signature', null],
    ['given-up', 'signature', null],
    ['refused', 'signature', null],
  ])('%s of a %s', (kind, wanted, text) => {
    expect(describeProblem(kind, wanted, address)).toBe(text)
  })

  test('another account is named', () => {
    expect(describeProblem('wrong-account', 'payment', address)).toContain('0xabab…abab')
  })

  test('a wrong chain opens the dialog and is no failure', async () => {
    const showNetworkDialog = vi.fn()
    const app = { session: { get: () => ({ address }) }, showNetworkDialog } as never
    expect(showWalletProblem(app, new WalletError('wrong-chain', 'on 1'), 'payment')).toBe('wrong-chain')
    await vi.waitFor(() => expect(showNetworkDialog).toHaveBeenCalledWith({ chainId: '0x33450' }))
  })
})
