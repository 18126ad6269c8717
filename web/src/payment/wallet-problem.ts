import type { PlainKey } from '../i18n/translate.ts'
import { translate } from '../i18n/use-translation.ts'
import { shorten } from '../lib/format.ts'
import { ourNetwork } from '../session/our-network.ts'
import type { App } from '../session/app-context.tsx'
import { closeToast, showToast } from '../ui/overlay/toast.tsx'
import { WalletError, type WalletErrorKind } from '../wallet/errors.ts'

/** The request to the wallet. */
export type Wanted = 'payment' | 'approval' | 'signature'

const byKind: Partial<Record<WalletErrorKind, PlainKey>> = {
  'not-installed': 'pay.noWallet',
  'no-gas': 'pay.noGas',
  busy: 'pay.busy',
  silent: 'pay.silent',
  'no-relay': 'pay.noRelay',
  'no-account': 'pay.noAccount',
  'no-token': 'pay.noToken',
  gone: 'pay.walletGone',
  altered: 'pay.altered',
}
const byWanted: Record<Wanted, Partial<Record<WalletErrorKind, PlainKey>> & { failed: PlainKey }> = {
  payment: {
    refused: 'pay.refused',
    cancelled: 'pay.cancelled',
    'given-up': 'pay.givenUp',
    'would-revert': 'pay.wouldRevert',
    reverted: 'pay.reverted',
    unknown: 'pay.unknown',
    gone: 'pay.unknownGone',
    'left-chain': 'pay.leftChain',
    'no-allowance': 'pay.noAllowance',
    failed: 'pay.failed',
  },
  approval: {
    refused: 'pay.approvalRefused',
    'given-up': 'pay.givenUpApproval',
    unknown: 'pay.approvalUnknown',
    'left-chain': 'pay.approvalUnknown',
    'no-allowance': 'pay.approvedLess',
    'would-revert': 'pay.tokenRefuses',
    failed: 'pay.approvalFailed',
  },
  signature: { failed: 'pay.walletFailed' },
}

/** An act that the person has just done needs no word, unless it has consequences. */
const known: readonly WalletErrorKind[] = ['refused', 'dismissed', 'not-chosen', 'given-up']

/** Where our words leave open what was wrong, those of the wallet stand beside them. */
const withOwnWords: readonly WalletErrorKind[] = ['failed', 'unknown', 'would-revert']

/**
 * The text about it, in the language of now; null where nothing has to be said. `address`: of the account that is signed in. `said`: by
 * the wallet itself.
 */
export function describeProblem(
  kind: WalletErrorKind,
  wanted: Wanted,
  address: string,
  said: string | null = null,
): string | null {
  if (kind === 'wrong-account') return translate('pay.otherAccount', { address: shorten(address) })
  const key = byWanted[wanted][kind] ?? byKind[kind]
  if (key === undefined && known.includes(kind)) return null
  const text = translate(key ?? byWanted[wanted].failed)
  return said !== null && withOwnWords.includes(kind) ? `${text} ${translate('pay.walletSays', { said })}` : text
}

/** Says why a wallet has not done what was wanted; a wrong chain opens the dialog for it instead. @returns the kind */
export function showWalletProblem(
  app: Pick<App, 'session' | 'showNetworkDialog'>,
  error: unknown,
  wanted: Wanted,
): WalletErrorKind {
  const kind = error instanceof WalletError ? error.kind : 'failed'
  if (kind === 'wrong-chain') {
    closeToast()
    void ourNetwork().then(app.showNetworkDialog, (problem: unknown) =>
      showToast('error', translate(problem instanceof WalletError ? 'pay.altered' : 'http.connect')),
    )
    return kind
  }
  const said = error instanceof WalletError ? error.said : null
  const text = describeProblem(kind, wanted, app.session.get().address, said)
  // A problem that the person did not decide, or has to know later, stays until it was read.
  if (text === null) closeToast()
  else if (kind === 'refused') showToast('plain', text)
  else
    showToast(kind === 'given-up' || kind === 'unknown' ? 'plain' : 'error', text, {
      stays: true,
      ...(kind === 'gone' && {
        action: { label: translate('pay.reload'), run: () => window.location.reload() },
      }),
    })
  return kind
}
