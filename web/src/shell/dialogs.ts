import type { NetworkConfig } from '@candela/protocol/chain/network'
import { createStore } from '../lib/store.ts'
import type { Pairing } from '../wallet/remote/types.ts'
import type { ConnectPurpose, WalletOption } from '../wallet/types.ts'

/** The stores of the shell's own sheets and dialogs; each holds with what its sheet is open, and null while it is closed. */

export const languageSheet = createStore<true | null>(null)
export const accountSheet = createStore<true | null>(null)

/** The network that the wallet has to be on, while the dialog asks for it. */
export const networkDialog = createStore<NetworkConfig | null>(null)

/** Open while it is offered to go on where a wallet is, because this browser has none. */
export const openInWallet = createStore<true | null>(null)

/** Open while a connection waits for a wallet on another device, or in another app. */
export const walletPairing = createStore<Pairing | null>(null)

/** `error` is shown in place: the code that was refused can be corrected. */
export const invitationSheet = createStore<{ error: string | null } | null>(null)

/** Open while somebody has come by a link to a file. */
export const fileSheet = createStore<{ token: string } | null>(null)

/** The server's own sentence while it asks whether the other devices may be signed out. */
export const deviceDialog = createStore<{ message: string; code: string } | null>(null)

type Choice = { options: readonly WalletOption[]; purpose: ConnectPurpose; answer: (id: string | null) => void }
export const walletChoice = createStore<Choice | null>(null)

/** Shows the chooser; resolves to null when it is closed without a choice. */
export const chooseWallet = (options: readonly WalletOption[], purpose: ConnectPurpose): Promise<string | null> =>
  new Promise((resolve) => {
    walletChoice.get()?.answer(null)
    walletChoice.set({
      options,
      purpose,
      answer(id) {
        walletChoice.set(null)
        resolve(id)
      },
    })
  })
