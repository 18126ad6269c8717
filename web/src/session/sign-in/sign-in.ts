import { codes } from '@candela/protocol/codes/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import { ApiError, TransportError } from '@candela/client/errors'
import { createStore } from '../../lib/store.ts'
import { WalletError } from '../../wallet/errors.ts'
import type { WalletModule } from '../../wallet/types.ts'
import { untilAborted } from '../../wallet/waiting.ts'
import { isLoginMessage } from './login-message.ts'
import type { SignedOutReason, SignedOutReasonStore } from '../signed-out-reason.ts'
import type { SessionStore } from '../session.ts'

/** How far a sign-in has come that somebody has tapped for, and why the last one stopped. */
export type SignInStep = 'idle' | 'connecting' | 'checking' | 'signing' | 'entering'
export type SignInProblem =
  | 'not-installed'
  /** A problem of the connection: no address is known. */
  | 'not-connected'
  /** A problem of the signature. */
  | 'refused'
  | 'busy'
  | 'silent'
  | 'no-relay'
  | 'no-account'
  /** The extension has stopped or was updated. */
  | 'gone'
  /** The service names another chain or RPC than ours, or a text that is not our login. */
  | 'altered'
  | 'failed'
  /** A problem of the server. */
  | 'no-answer'
export type SignInState = {
  step: SignInStep
  /** The wallet takes long. A tap then asks it anew, and an answer to the first request still counts until then. */
  slow: boolean
  problem: SignInProblem | null
}

/** From when on a wallet takes long, in milliseconds: its window may be hidden, or was closed without an answer. */
export const SLOW_MS = 20_000
/** The message that the wallet signs is valid no longer than five minutes. */
export const SIGN_IN_LIMIT_MS = 270_000

export type LoginInput = CallInput<'POST auth/login'>

/** The parts that a sign-in needs of the rest of the app. */
export type SignInDeps = {
  wallet: Pick<WalletModule, 'connectWallet' | 'reconnectWallet' | 'checkWallet' | 'signMessage' | 'walletStore'>
  session: SessionStore
  /** The origin of the page. */
  origin: string
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
  /** `said`: what the wallet itself has said, null for nothing. */
  showProblem(problem: SignInProblem, said: string | null): void
  signedOutReason: Pick<SignedOutReasonStore, 'get' | 'set'>
}

/** A login message with the wallet's signature over it. */
type Signed = { address: `0x${string}`; message: string; signature: `0x${string}` }

export type SignIn = ReturnType<typeof createSignIn>

const idle: SignInState = { step: 'idle', slow: false, problem: null }

/** The start-up flow: wallet ready, right chain, registered or invited, signed, session stored. */
export function createSignIn(deps: SignInDeps) {
  const { session, wallet } = deps
  const state = createStore<SignInState>(idle)
  /** The flow under way. Aborting it lets go of the wallet and drops whatever still comes of it. */
  let current: { stop: AbortController; tapped: boolean } | null = null
  /** The sign-in that the dialog for the network has interrupted. */
  let interrupted: 'tap' | 'load' | null = null
  /** A refusal of the code or of one more device leaves the message unused: its signature goes again with the answer. */
  let unused: Signed | null = null

  const stop = (reason: WalletError): void => {
    current?.stop.abort(reason)
    current = null
  }

  type Flow = { signal: AbortSignal; tapped: boolean; step: (next: SignInStep) => void }

  /** One flow at a time. A second tap while one runs is the same request, unless the wallet takes long. */
  const run = async (tapped: boolean, work: (flow: Flow) => Promise<void>): Promise<void> => {
    if (current?.tapped === true && !(tapped && state.get().slow)) return
    stop(new WalletError('given-up', 'Asked anew'))
    const mine = { stop: new AbortController(), tapped }
    current = mine
    interrupted = null
    const { signal } = mine.stop
    const set = (next: Partial<SignInState>) => {
      // A sign-in that nobody has tapped for is not shown as under way.
      if (current === mine && tapped) state.set({ ...state.get(), ...next })
    }
    set({ slow: false, problem: null })
    const slow = setTimeout(() => set({ slow: true }), SLOW_MS)
    const limit = setTimeout(
      () => mine.stop.abort(new WalletError('silent', 'The wallet does not answer')),
      SIGN_IN_LIMIT_MS,
    )
    try {
      await untilAborted(work({ signal, tapped, step: (step) => set({ step }) }), signal)
      set(idle)
    } catch (error) {
      if (current === mine) fail(error, state.get().step, tapped)
    } finally {
      clearTimeout(slow)
      clearTimeout(limit)
      if (current === mine) current = null
    }
  }

  const fail = (error: unknown, step: SignInStep, tapped: boolean): void => {
    const problem = problemOf(error, step)
    // A wallet that is not there when the page is loaded is no news.
    if (!tapped) return
    state.set({ ...idle, problem })
    // Errors of the server and of the connection were shown by the API client already.
    if (problem !== null && !(error instanceof ApiError || error instanceof TransportError))
      deps.showProblem(problem, error instanceof WalletError ? error.said : null)
  }

  // The text about a wallet goes away when it is no longer so.
  wallet.walletStore.subscribe(() => {
    const { problem } = state.get()
    if (problem === null || problem === 'refused' || problem === 'no-answer') return
    const { status } = wallet.walletStore.get()
    if (status === 'connected' || (problem === 'not-installed' && status !== 'none'))
      state.set({ ...state.get(), problem: null })
  })

  const afterWallet = async (flow: Flow): Promise<void> => {
    const { address, chainId } = wallet.walletStore.get()
    if (address === null) return
    flow.step('checking')
    const network = await deps.network()
    flow.signal.throwIfAborted()
    if (chainId !== Number(network.chainId)) {
      interrupted = flow.tapped ? 'tap' : 'load'
      return deps.ask.network(network)
    }
    const { token, address: signedInAs } = session.get()
    if (token !== '' && signedInAs.toLowerCase() === address.toLowerCase()) return
    // The wallet's account was changed while this page was away.
    if (token !== '') {
      deps.endSession()
      deps.signedOutReason.set('otherAccount')
      session.clear()
    }
    // The session may have ended while the network was asked for.
    if (!flow.tapped && !mayLook(deps.signedOutReason.get())) return
    const { isRegister } = await deps.isRegister(address)
    flow.signal.throwIfAborted()
    if (!isRegister) deps.ask.invitation(null)
    // A signature is asked for at a tap alone: nobody expects a window of the wallet when a page is loaded.
    else if (flow.tapped) await logIn(flow, { address, code: '', replace: false })
  }

  const sign = async (flow: Flow, address: `0x${string}`): Promise<Signed> => {
    flow.step('signing')
    const { message } = await deps.loginMessage(address)
    flow.signal.throwIfAborted()
    // A login of elsewhere would be as good there.
    if (!isLoginMessage(message, address, deps.origin))
      throw new WalletError('altered', 'The service has another text signed than a login here')
    return { address, message, signature: await wallet.signMessage(message, { signal: flow.signal }) }
  }

  type Login = { address: `0x${string}`; code: string; replace: boolean }

  const logIn = async (flow: Flow, wanted: Login): Promise<void> => {
    const { address, code, replace } = wanted
    const again = unused?.address === address ? unused : null
    unused = null
    const signed = again ?? (await sign(flow, address))
    flow.signal.throwIfAborted()
    flow.step('entering')
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
      if (again !== null && staleCodes.includes(error.code)) return logIn(flow, wanted)
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

  /** Takes up a wallet used before, without asking for one. Not after a sign-out, which is meant to last. */
  const resume = () =>
    run(false, async (flow) => {
      if (!mayLook(deps.signedOutReason.get())) return
      if ((await wallet.reconnectWallet()) === null) return
      flow.signal.throwIfAborted()
      await afterWallet(flow)
    })

  const connect = () =>
    run(true, async (flow) => {
      flow.step('connecting')
      await wallet.connectWallet({ signal: flow.signal })
      await wallet.checkWallet()
      flow.signal.throwIfAborted()
      await afterWallet(flow)
    })

  return {
    state: { get: state.get, subscribe: state.subscribe },
    /** On load. Opens no window of the wallet. */
    resume,
    /** At a tap: connects a wallet, then goes on as on load, to the signature. */
    connect,
    /** The wallet is on the right network now: goes on with what was interrupted. */
    networkIsRight: async (): Promise<void> => {
      if (interrupted !== null) await (interrupted === 'tap' ? connect() : resume())
    },
    /** Stops waiting for the wallet. An answer that comes later is dropped. */
    cancel: (): void => {
      stop(new WalletError('given-up', 'The person has stopped waiting'))
      state.set(idle)
    },
    /** Logs in with an invitation code; without one nothing happens. */
    withCode: (code: string) =>
      run(true, async (flow) => {
        if (code.trim() !== '') await logIn(flow, { address: connected(), code: code.trim(), replace: false })
      }),
    /** Logs in and signs the other devices out. */
    replacingDevices: (code: string) => run(true, (flow) => logIn(flow, { address: connected(), code, replace: true })),
  }
}

/** Whether the wallet may be looked at without a tap. Whoever has signed out, or was, is asked for nothing. */
const mayLook = (reason: SignedOutReason | null): boolean =>
  reason === null || reason === 'otherAccount' || reason === 'otherTab'

/** Login refusals that open something instead of a toast. */
const askedInPlace: readonly number[] = [codes.deviceLimit, codes.invitationNeeded, codes.invitationUnknown]

/** The codes for a signature that came too late: its message has expired, or its account signs by another key now. */
const staleCodes: readonly number[] = [codes.loginMessageUsed, codes.signatureWrong]

/** Said by the name that the wallet's error has. */
const asIs = ['not-installed', 'busy', 'silent', 'no-relay', 'no-account', 'gone', 'altered'] as const

/** Null for what the person knows: the list of wallets was closed, or waiting was stopped. */
function problemOf(error: unknown, step: SignInStep): SignInProblem | null {
  if (error instanceof ApiError || error instanceof TransportError) return 'no-answer'
  if (!(error instanceof WalletError)) return 'failed'
  const { kind } = error
  if (kind === 'not-chosen' || kind === 'given-up') return null
  if (kind === 'refused' || kind === 'dismissed') return step === 'connecting' ? 'not-connected' : 'refused'
  return asIs.find((each) => each === kind) ?? 'failed'
}
