import { loadWhenIdle, type ScreenFiles } from '../navigation/lazy-screen.ts'

/** The shell's sheets and dialogs: no first load has their code, because most visits open none of them. */
export const dialogFiles = {
  language: { code: () => import('./language-sheet.tsx'), texts: [] },
  account: { code: () => import('./account-sheet.tsx'), texts: [] },
  invitation: { code: () => import('./invitation-sheet.tsx'), texts: [] },
  devices: { code: () => import('./device-dialog.tsx'), texts: [] },
  file: { code: () => import('./file-sheet.tsx'), texts: ['keep'] },
  pending: { code: () => import('../command/pending-view.tsx'), texts: [] },
  explanation: { code: () => import('../ui/overlay/explain.tsx'), texts: [] },
  wallets: { code: () => import('./wallet/wallet-chooser.tsx'), texts: ['wallet'] },
  pairing: { code: () => import('./wallet/wallet-pairing.tsx'), texts: ['wallet'] },
  openInWallet: { code: () => import('./wallet/open-in-wallet.tsx'), texts: ['wallet'] },
  network: { code: () => import('./wallet/network-dialog.tsx'), texts: ['wallet'] },
} as const satisfies Record<string, ScreenFiles<object>>

/** Loads the dialogs that every page may need at any tap, before it, so that they open at once and without a connection. */
export function loadDialogs(): Promise<void> {
  const { language, account, invitation, devices, explanation, pending } = dialogFiles
  return loadWhenIdle([language, account, invitation, devices, explanation, pending])
}
