import { codes } from '@candela/protocol/codes/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import { ApiError, TransportError } from '../api/errors.ts'
import { createStore } from '../lib/store.ts'
import { WalletError } from '../wallet/errors.ts'
import type { WalletErrorKind, WalletModule, WalletState } from '../wallet/types.ts'
import type { SignedOutReasonStore } from './signed-out-reason.ts'
import type { SessionStore } from './session.ts'

/** How far a sign-in has come, and why the last one stopped. */
export type SignInStep = 'idle' | 'connecting' | 'checking' | 'signing' | 'entering'
export type SignInProblem = WalletErrorKind | 'no-answer'
export type SignInState = { step: SignInStep; problem: SignInProblem | null }

export type LoginInput = CallInput<'POST auth/login'>

/** What a sign-in needs of the rest of the app. */
export type SignInDeps = {
  wallet: Pick<WalletModule, 'connectWallet' | 'reconnectWallet' | 'signMessage' | 'walletStore'>
  session: SessionStore
  network(): Promise<NetworkConfig>
  isRegister(address: string): Promise<Data<'POST auth/isRegister'>>
  loginMessage(address: string): Promise<Data<'GET auth/loginMessage'>>
  /** `handled`: codes that are not to be shown, because something is done about them. */
  login(input: LoginInput, handled: readonly number[]): Promise<Data<'POST auth/login'>>
  /** Tells the server that the session of now is over. */
  endSession(): void
  ask: {
    network(network: NetworkConfig): void
    invitation(error: string | null): void
    /** More devices than allowed: offers to sign the others out. */
    devices(message: string, code: string): void
  }
  showProblem(problem: SignInProblem): void
  signedOutReason: Pick<SignedOutReasonStore, 'get' | 'set'>
}

/** A login message with the wallet's signature over it. */
type Signed = { address: `0x${string}`; message: string; signature: `0x${string}` }

export type SignIn = ReturnType<typeof createSignIn>

/** The start-up flow: wallet ready, right chain, registered or invited, signed, session stored. */
export function createSignIn(deps: SignInDeps) {
  const { session, wallet } = deps
  const state = createStore<SignInState>({ step: 'idle', problem: null })
  const step = (next: SignInStep) => state.set({ step: next, problem: null })
  let underWay = false
  /** A refusal of the code or of one more device leaves the message unused: its signature goes again with the answer. */
  let unused: Signed | null = null

  /** One flow at a time; a second request while one runs is the same request. */
  const run = async (flow: () => Promise<void>): Promise<void> => {
    if (underWay) return
    underWay = true
    try {
      await flow()
      state.set({ step: 'idle', problem: state.get().problem })
    } catch (error) {
      const problem = problemOf(error)
      state.set({ step: 'idle', problem })
      // Errors of the server and of the connection were shown by the API client already.
      if (!(error instanceof ApiError || error instanceof TransportError)) deps.showProblem(problem)
    } finally {
      underWay = false
    }
  }

  const afterWallet = async ({ address, chainId }: WalletState, tapped: boolean): Promise<void> => {
    if (address === null) return
    step('checking')
    const network = await deps.network()
    if (chainId !== Number(network.chainId)) return deps.ask.network(network)
    const { token, address: signedInAs } = session.get()
    if (token !== '' && signedInAs.toLowerCase() === address.toLowerCase()) return
    // The wallet's account was changed while this page was away.
    if (token !== '') {
      deps.endSession()
      session.clear()
    }
    // The session may have ended while the network was asked for.
    if (!tapped && deps.signedOutReason.get() !== null) return
    const { isRegister } = await deps.isRegister(address)
    if (isRegister) await logIn(address, '', false)
    else deps.ask.invitation(null)
  }

  const sign = async (address: `0x${string}`): Promise<Signed> => {
    step('signing')
    const { message } = await deps.loginMessage(address)
    return { address, message, signature: await wallet.signMessage(message) }
  }

  const logIn = async (address: `0x${string}`, code: string, replace: boolean): Promise<void> => {
    const again = unused?.address === address ? unused : null
    unused = null
    const signed = again ?? (await sign(address))
    step('entering')
    const input = {
      address,
      message: signed.message,
      sign_message: signed.signature,
      ...(code !== '' && { code }),
      ...(replace && { replace: '1' as const }),
    }
    try {
      const { token } = await deps.login(input, again === null ? askedInPlace : [...askedInPlace, ...staleCodes])
      deps.signedOutReason.set(null)
      session.signedIn(address, token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The person took longer than the message was valid.
      if (again !== null && staleCodes.includes(error.code)) return logIn(address, code, replace)
      if (!askedInPlace.includes(error.code)) throw error
      unused = signed
      if (error.code === codes.deviceLimit) deps.ask.devices(error.message, code)
      else deps.ask.invitation(error.message)
    }
  }

  const connected = (): `0x${string}` => {
    const { address } = wallet.walletStore.get()
    if (address === null) throw new WalletError('failed', 'No wallet is connected')
    return address
  }

  return {
    state: { get: state.get, subscribe: state.subscribe },
    /** On load: takes up a wallet used before, without asking for one. Not after a sign-out, which is meant to last. */
    resume: () =>
      run(async () => {
        if (deps.signedOutReason.get() !== null) return
        step('connecting')
        const found = await wallet.reconnectWallet()
        if (found !== null) await afterWallet(found, false)
      }),
    /** At a tap: connects a wallet, then goes on as on load. */
    connect: () =>
      run(async () => {
        step('connecting')
        await afterWallet(await wallet.connectWallet(), true)
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
const askedInPlace: readonly number[] = [codes.deviceLimit, codes.invitationNeeded, codes.invitationUnknown]

/** What a signature is told that came too late: its message has expired, or its account signs by another key now. */
const staleCodes: readonly number[] = [codes.loginMessageUsed, codes.signatureWrong]

function problemOf(error: unknown): SignInProblem {
  if (error instanceof WalletError) return error.kind
  return error instanceof ApiError || error instanceof TransportError ? 'no-answer' : 'failed'
}
