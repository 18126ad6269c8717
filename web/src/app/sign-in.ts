import { codes } from '@candela/protocol/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import type { NetworkConfig } from '@candela/protocol/network'
import { ApiError, TransportError } from '../api/errors.ts'
import { createStore } from '../ui/store.ts'
import { WalletError } from '../wallet/errors.ts'
import type { WalletErrorKind, WalletModule, WalletState } from '../wallet/types.ts'
import type { SessionStore } from './session.ts'

/** How far a sign-in has come, and why the last one stopped. */
export type SignInStep = 'idle' | 'connecting' | 'checking' | 'signing' | 'entering'
export type SignInProblem = WalletErrorKind | 'no-answer'
export type SignInState = { step: SignInStep; problem: SignInProblem | null }

export type LoginInput = CallInput<'POST auth/login'>

/** What a sign-in needs of the rest of the app. */
export type SignInParts = {
  wallet: Pick<WalletModule, 'connectWallet' | 'reconnectWallet' | 'signMessage' | 'walletStore'>
  session: SessionStore
  network(): Promise<NetworkConfig>
  isRegister(address: string): Promise<Data<'POST auth/isRegister'>>
  loginMessage(address: string): Promise<Data<'GET auth/loginMessage'>>
  login(input: LoginInput): Promise<Data<'POST auth/login'>>
  /** Tells the server that the session of now is over. */
  endSession(): void
  ask: {
    network(network: NetworkConfig): void
    invitation(error: string | null): void
    /** More devices than allowed: offers to sign the others out. */
    devices(message: string, code: string): void
  }
  tell(problem: SignInProblem): void
  /** Whether the person has signed out by hand; kept over reloads. */
  signedOut: { get(): boolean; set(signedOut: boolean): void }
}

/** The start-up flow: wallet ready, right chain, registered or invited, signed, session stored. */
export function createSignIn(parts: SignInParts) {
  const { session, wallet } = parts
  const state = createStore<SignInState>({ step: 'idle', problem: null })
  const step = (next: SignInStep) => state.set({ step: next, problem: null })
  let underWay = false

  /** One flow at a time; a second wish while one runs is the same wish. */
  const run = async (flow: () => Promise<void>): Promise<void> => {
    if (underWay) return
    underWay = true
    try {
      await flow()
      state.set({ step: 'idle', problem: state.get().problem })
    } catch (error) {
      const problem = problemOf(error)
      state.set({ step: 'idle', problem })
      // What the server or the connection had to say was shown by the API client already.
      if (!(error instanceof ApiError || error instanceof TransportError)) parts.tell(problem)
    } finally {
      underWay = false
    }
  }

  const afterWallet = async ({ address, chainId }: WalletState): Promise<void> => {
    if (address === null) return
    step('checking')
    const network = await parts.network()
    if (chainId !== Number(network.chainId)) return parts.ask.network(network)
    const { token, address: signedInAs } = session.get()
    if (token !== '' && signedInAs.toLowerCase() === address.toLowerCase()) return
    // The wallet's account was changed while this page was away.
    if (token !== '') {
      parts.endSession()
      session.clear()
    }
    const { isRegister } = await parts.isRegister(address)
    if (isRegister) await logIn(address, '', false)
    else parts.ask.invitation(null)
  }

  const logIn = async (address: `0x${string}`, code: string, replace: boolean): Promise<void> => {
    step('signing')
    const { message } = await parts.loginMessage(address)
    const signature = await wallet.signMessage(message)
    step('entering')
    try {
      const { token } = await parts.login({
        address,
        message,
        sign_message: signature,
        ...(code !== '' && { code }),
        ...(replace && { replace: '1' }),
      })
      session.signedIn(address, token)
    } catch (error) {
      if (!(error instanceof ApiError) || !askedInPlace.includes(error.code)) throw error
      if (error.code === codes.deviceLimit) parts.ask.devices(error.message, code)
      else parts.ask.invitation(error.message)
    }
  }

  const connected = (): `0x${string}` => {
    const { address } = wallet.walletStore.get()
    if (address === null) throw new WalletError('failed', 'No wallet is connected')
    return address
  }

  return {
    state: { get: state.get, subscribe: state.subscribe },
    /** On load: takes up a wallet used before, without asking for one. Not after a sign-out, which was meant to last. */
    resume: () =>
      run(async () => {
        if (parts.signedOut.get()) return
        step('connecting')
        const found = await wallet.reconnectWallet()
        if (found !== null) await afterWallet(found)
      }),
    /** At a tap: connects a wallet, then goes on as on load. */
    connect: () =>
      run(async () => {
        parts.signedOut.set(false)
        step('connecting')
        await afterWallet(await wallet.connectWallet())
      }),
    /** Logs in with an invitation code; without one nothing happens. */
    withCode: (code: string) =>
      run(async () => {
        if (code.trim() !== '') await logIn(connected(), code.trim(), false)
      }),
    /** Logs in and signs the other devices out. */
    replacingDevices: (code: string) => run(() => logIn(connected(), code, true)),
  }
}

/** Login refusals that open something instead of a toast. */
export const askedInPlace: readonly number[] = [codes.deviceLimit, codes.invitationNeeded, codes.invitationUnknown]

function problemOf(error: unknown): SignInProblem {
  if (error instanceof WalletError) return error.kind
  return error instanceof ApiError || error instanceof TransportError ? 'no-answer' : 'failed'
}
