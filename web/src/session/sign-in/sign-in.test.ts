import { loginMessageText } from '@candela/protocol/login-message'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, TransportError } from '@candela/client/errors'
import { WalletError } from '../../wallet/errors.ts'
import type { Waiting, WalletState } from '../../wallet/types.ts'
import type { SignedOutReason } from '../signed-out-reason.ts'
import { createSession } from '../session.ts'
import { memoryStorage } from '../../lib/storage.ts'
import { createStore } from '../../lib/store.ts'
import { createSignIn, SIGN_IN_LIMIT_MS, SLOW_MS } from './sign-in.ts'
import type { LoginInput, SignInDeps } from './sign-in.ts'

const address = `0x${'ab'.repeat(20)}` as const
const origin = 'https://candela.example'
const loginText = loginMessageText(
  { domain: 'candela.example', uri: origin },
  { address, nonce: 'ab'.repeat(32), issuedAt: new Date('2026-03-01T00:00:00Z') },
)
const network = {
  chainId: '0x33450',
  chainName: 'JuChain',
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: ['https://rpc.example'],
  blockExplorerUrls: [],
}

/** The parts around a sign-in: a wallet on the right chain, a registered address, a server that accepts. */
function setUp(change: { chainId?: number; registered?: boolean; wallet?: boolean } = {}) {
  const memory = new Map<string, string>()
  const session = createSession(memoryStorage(memory), () => {})
  const connected: WalletState = {
    status: 'connected',
    address,
    chainId: change.chainId ?? 210_000,
    walletName: 'Test wallet',
  }
  const walletStore = createStore(connected)
  let left: SignedOutReason | null = null
  const login = vi.fn((_input: LoginInput, _handled: readonly number[]): Promise<{ token: string }> =>
    Promise.resolve({ token: 'fresh' }),
  )
  const deps = {
    wallet: {
      walletStore,
      connectWallet: vi.fn((_on?: Waiting) => Promise.resolve(connected)),
      reconnectWallet: vi.fn(() => Promise.resolve(change.wallet === false ? null : connected)),
      checkWallet: vi.fn(() => Promise.resolve()),
      signMessage: vi.fn((_text: string, _on?: Waiting) => Promise.resolve('0x51' as const)),
    },
    session,
    origin,
    network: () => Promise.resolve(network),
    isRegister: vi.fn(() => Promise.resolve({ isRegister: change.registered ?? true })),
    loginMessage: vi.fn(() => Promise.resolve({ message: loginText })),
    login,
    endSession: vi.fn(() => undefined),
    ask: { network: vi.fn(), invitation: vi.fn(), devices: vi.fn() },
    showProblem: vi.fn(),
    signedOutReason: { get: () => left, set: (reason: SignedOutReason | null) => void (left = reason) },
  } satisfies SignInDeps
  return { deps, session, walletStore, signIn: createSignIn(deps) }
}

const idle = { step: 'idle', slow: false, problem: null }

describe('at a tap', () => {
  test('a registered address signs the login message and gets its session stored', async () => {
    const { deps, session, signIn } = setUp()
    await signIn.connect()
    expect(deps.wallet.signMessage.mock.lastCall?.[0]).toBe(loginText)
    expect(deps.login.mock.lastCall?.[0]).toEqual({ address, message: loginText, sign_message: '0x51' })
    expect(session.get()).toMatchObject({ address, token: 'fresh' })
    expect(signIn.state.get()).toEqual(idle)
  })

  test('a sign-out lasts until somebody is signed in: a tap whose signature is refused does not end it', async () => {
    const { deps, signIn } = setUp()
    deps.signedOutReason.set('ended')
    deps.wallet.signMessage.mockRejectedValueOnce(new WalletError('refused', 'no'))
    await signIn.connect()
    expect(deps.signedOutReason.get()).toBe('ended')
    await signIn.connect()
    expect(deps.signedOutReason.get()).toBeNull()
  })

  test('the wallet is asked where it is, because it may have changed without a word', async () => {
    const { deps, walletStore, signIn } = setUp()
    deps.wallet.checkWallet.mockImplementationOnce(() => {
      walletStore.set({ ...walletStore.get(), chainId: 1 })
      return Promise.resolve()
    })
    await signIn.connect()
    expect(deps.ask.network).toHaveBeenCalledWith(network)
  })

  test('a wrong chain opens the network dialog and stops; once it is right, the sign-in goes on', async () => {
    const { deps, session, walletStore, signIn } = setUp({ chainId: 1 })
    await signIn.connect()
    expect(deps.ask.network).toHaveBeenCalledWith(network)
    expect(deps.isRegister).not.toHaveBeenCalled()
    walletStore.set({ ...walletStore.get(), chainId: 210_000 })
    await signIn.networkIsRight()
    expect(session.get().token).toBe('fresh')
  })

  test('a new address is asked for an invitation code before anything is signed', async () => {
    const { deps, signIn } = setUp({ registered: false })
    await signIn.connect()
    expect(deps.ask.invitation).toHaveBeenCalledWith(null)
    expect(deps.wallet.signMessage).not.toHaveBeenCalled()
  })
})

describe('on load', () => {
  test('no window of the wallet is opened: a registered address signs at the next tap', async () => {
    const { deps, session, signIn } = setUp()
    await signIn.resume()
    expect(deps.isRegister).toHaveBeenCalledOnce()
    expect(deps.wallet.connectWallet).not.toHaveBeenCalled()
    expect(deps.wallet.signMessage).not.toHaveBeenCalled()
    expect(signIn.state.get()).toEqual(idle)
    await signIn.connect()
    expect(session.get().token).toBe('fresh')
  })

  test('a new address is asked for its invitation code', async () => {
    const { deps, signIn } = setUp({ registered: false })
    await signIn.resume()
    expect(deps.ask.invitation).toHaveBeenCalledWith(null)
  })

  test('a wrong chain opens the network dialog; once it is right, nothing is signed', async () => {
    const { deps, walletStore, signIn } = setUp({ chainId: 1 })
    await signIn.resume()
    expect(deps.ask.network).toHaveBeenCalledWith(network)
    walletStore.set({ ...walletStore.get(), chainId: 210_000 })
    await signIn.networkIsRight()
    expect(deps.isRegister).toHaveBeenCalledOnce()
    expect(deps.wallet.signMessage).not.toHaveBeenCalled()
  })

  test('no wallet used before: nothing is asked', async () => {
    const { deps, signIn } = setUp({ wallet: false })
    await signIn.resume()
    expect(deps.isRegister).not.toHaveBeenCalled()
  })

  test('after a sign-out by hand a reload asks for nothing; a tap does', async () => {
    const { deps, session, signIn } = setUp()
    deps.signedOutReason.set('byHand')
    await signIn.resume()
    expect(deps.wallet.reconnectWallet).not.toHaveBeenCalled()
    await signIn.connect()
    expect(session.get().token).toBe('fresh')
    expect(deps.signedOutReason.get()).toBeNull()
  })

  test('a session that ends while it is taken up is not replaced by asking', async () => {
    const { deps, session, signIn } = setUp()
    session.signedIn(address, 'ended meanwhile')
    deps.wallet.reconnectWallet.mockImplementationOnce(() => {
      deps.signedOutReason.set('ended')
      session.clear()
      return Promise.resolve(deps.wallet.walletStore.get())
    })
    await signIn.resume()
    expect(deps.isRegister).not.toHaveBeenCalled()
  })

  test('a session of the same address, in any letter case, is left as it is', async () => {
    const { deps, session, signIn } = setUp()
    session.signedIn(address.toUpperCase().replace('0X', '0x'), 'kept')
    await signIn.resume()
    expect(session.get().token).toBe('kept')
    expect(deps.login).not.toHaveBeenCalled()
  })

  test('a session of another address ends with a reason, at the server too', async () => {
    const { deps, session, signIn } = setUp({ registered: false })
    const told: string[] = []
    deps.endSession.mockImplementation(() => void told.push(session.get().token))
    session.signedIn(`0x${'cd'.repeat(20)}`, 'of another')
    await signIn.resume()
    expect(session.get().token).toBe('')
    expect(told).toEqual(['of another'])
    expect(deps.signedOutReason.get()).toBe('otherAccount')
    // The next question opens no window.
    expect(deps.ask.invitation).toHaveBeenCalledOnce()
  })

  test('a wallet that does not answer blocks nothing: a tap asks it', async () => {
    const { deps, session, signIn } = setUp()
    deps.wallet.reconnectWallet.mockImplementationOnce(() => new Promise(() => {}))
    void signIn.resume()
    expect(signIn.state.get()).toEqual(idle)
    await signIn.connect()
    expect(session.get().token).toBe('fresh')
  })
})

/** A prompt that the test answers, or nobody. */
function heldPrompt(deps: ReturnType<typeof setUp>['deps']) {
  const answer = Promise.withResolvers<'0x51'>()
  deps.wallet.signMessage.mockImplementationOnce(() => answer.promise)
  return answer
}

describe('a wallet that does not answer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is said to be slow, and its answer counts when it comes', async () => {
    const { deps, session, signIn } = setUp()
    const answer = heldPrompt(deps)
    const signing = signIn.connect()
    await vi.advanceTimersByTimeAsync(SLOW_MS - 1)
    expect(signIn.state.get()).toEqual({ step: 'signing', slow: false, problem: null })
    await vi.advanceTimersByTimeAsync(1)
    expect(signIn.state.get().slow).toBe(true)
    answer.resolve('0x51')
    await signing
    expect(session.get().token).toBe('fresh')
    expect(signIn.state.get()).toEqual(idle)
  })

  test('a tap before that is the same request, and after it a new one; the old answer is dropped', async () => {
    const { deps, session, signIn } = setUp()
    const answer = heldPrompt(deps)
    void signIn.connect()
    await vi.advanceTimersByTimeAsync(SLOW_MS - 1)
    await signIn.connect()
    expect(deps.wallet.signMessage).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    await signIn.connect()
    expect(deps.wallet.signMessage).toHaveBeenCalledTimes(2)
    expect(session.get().token).toBe('fresh')
    answer.resolve('0x51')
    await vi.advanceTimersByTimeAsync(0)
    expect(deps.login).toHaveBeenCalledOnce()
  })

  test('can be given up at once, without a word; its answer is dropped', async () => {
    const { deps, session, signIn } = setUp()
    const answer = heldPrompt(deps)
    void signIn.connect()
    await vi.advanceTimersByTimeAsync(0)
    signIn.cancel()
    expect(signIn.state.get()).toEqual(idle)
    expect(deps.wallet.signMessage.mock.lastCall?.[1]?.signal?.aborted).toBe(true)
    answer.resolve('0x51')
    await vi.advanceTimersByTimeAsync(SLOW_MS)
    expect(session.get().token).toBe('')
    expect(signIn.state.get()).toEqual(idle)
    expect(deps.showProblem).not.toHaveBeenCalled()
    await signIn.connect()
    expect(session.get().token).toBe('fresh')
  })

  test('is waited for no longer than its message is valid', async () => {
    const { deps, signIn } = setUp()
    heldPrompt(deps)
    void signIn.connect()
    await vi.advanceTimersByTimeAsync(SIGN_IN_LIMIT_MS)
    expect(signIn.state.get()).toEqual({ ...idle, problem: 'silent' })
    expect(deps.showProblem).toHaveBeenCalledWith('silent', null)
  })
})

describe('with an invitation code', () => {
  test('logs in with it; an empty one does nothing', async () => {
    const { deps, signIn } = setUp()
    await signIn.withCode('   ')
    expect(deps.login).not.toHaveBeenCalled()
    await signIn.withCode(' CANDELA1 ')
    expect(deps.login.mock.lastCall?.[0]).toMatchObject({ code: 'CANDELA1' })
  })

  test('a refused code is shown in the sheet, which opens again', async () => {
    const { deps, session, signIn } = setUp()
    deps.login.mockRejectedValueOnce(new ApiError(4003, 'This code is unknown'))
    await signIn.withCode('WRONG')
    expect(deps.ask.invitation).toHaveBeenCalledWith('This code is unknown')
    expect(signIn.state.get().problem).toBeNull()
    await signIn.withCode('RIGHT')
    expect(session.get().token).toBe('fresh')
    expect(deps.wallet.signMessage).toHaveBeenCalledOnce()
  })
})

describe('too many devices', () => {
  test('asks, then signs in again with replace and the same code', async () => {
    const { deps, session, signIn } = setUp()
    deps.login.mockRejectedValueOnce(new ApiError(4001, 'At most 3'))
    await signIn.withCode('CODE')
    expect(deps.ask.devices).toHaveBeenCalledWith('At most 3', 'CODE')
    await signIn.replacingDevices('CODE')
    expect(deps.login.mock.lastCall?.[0]).toMatchObject({ replace: '1', code: 'CODE', sign_message: '0x51' })
    expect(session.get().token).toBe('fresh')
    // The refusal did not use the message up, so one signature is enough.
    expect(deps.wallet.signMessage).toHaveBeenCalledOnce()
  })

  test('an answer that comes after the message has expired takes a second signature, and no more', async () => {
    const { deps, session, signIn } = setUp()
    deps.login.mockRejectedValueOnce(new ApiError(4001, 'At most 3'))
    await signIn.connect()
    deps.login.mockRejectedValueOnce(new ApiError(4004, 'Expired'))
    await signIn.replacingDevices('')
    expect(session.get().token).toBe('fresh')
    expect(deps.wallet.signMessage).toHaveBeenCalledTimes(2)
    // No person is told of the refusal that is made good; of one that is not they are.
    expect(deps.login.mock.calls.map(([, handled]) => handled.includes(4004))).toEqual([false, true, false])
  })

  test('a signature is used for one sign-in', async () => {
    const { deps, session, signIn } = setUp()
    deps.login.mockRejectedValueOnce(new ApiError(4001, 'At most 3'))
    await signIn.connect()
    await signIn.replacingDevices('')
    session.clear()
    await signIn.connect()
    expect(deps.wallet.signMessage).toHaveBeenCalledTimes(2)
  })
})

describe('what goes wrong', () => {
  test('a login of elsewhere is not signed, and a right one is', async () => {
    const { deps, session, signIn } = setUp()
    deps.loginMessage.mockResolvedValueOnce({ message: loginText.replaceAll('candela.example', 'bank.example') })
    await signIn.connect()
    expect(deps.wallet.signMessage).not.toHaveBeenCalled()
    expect(deps.showProblem).toHaveBeenCalledWith('altered', null)
    await signIn.connect()
    expect(session.get().token).toBe('fresh')
  })

  test('a refused signature leaves a clear word and a way to try again', async () => {
    const { deps, session, signIn } = setUp()
    deps.wallet.signMessage.mockRejectedValueOnce(new WalletError('refused', 'no'))
    await signIn.connect()
    expect(signIn.state.get()).toEqual({ ...idle, problem: 'refused' })
    expect(deps.showProblem).toHaveBeenCalledWith('refused', null)
    await signIn.connect()
    expect(session.get().token).toBe('fresh')
    expect(signIn.state.get().problem).toBeNull()
  })

  test('a missing wallet is told', async () => {
    const { deps, signIn } = setUp()
    deps.wallet.connectWallet.mockRejectedValueOnce(new WalletError('not-installed', 'Wallet not installed'))
    await signIn.connect()
    expect(deps.showProblem).toHaveBeenCalledWith('not-installed', null)
  })

  test('a wallet that has been installed meanwhile ends what was said', async () => {
    const { deps, walletStore, signIn } = setUp()
    walletStore.set({ status: 'none', address: null, chainId: null, walletName: null })
    deps.wallet.connectWallet.mockRejectedValueOnce(new WalletError('not-installed', 'Wallet not installed'))
    await signIn.connect()
    expect(signIn.state.get().problem).toBe('not-installed')
    walletStore.set({ status: 'idle', address: null, chainId: null, walletName: null })
    expect(signIn.state.get().problem).toBeNull()
  })

  test.each([
    ['refused', 'not-connected'],
    ['busy', 'busy'],
    ['silent', 'silent'],
    ['wrong-account', 'failed'],
  ] as const)('a connection that ends as %s is told as %s', async (kind, problem) => {
    const { deps, signIn } = setUp()
    deps.wallet.connectWallet.mockRejectedValueOnce(new WalletError(kind, 'no'))
    await signIn.connect()
    expect(signIn.state.get().problem).toBe(problem)
    expect(deps.showProblem.mock.calls).toEqual([[problem, null]])
  })

  test('whoever closes the list of wallets has refused nothing', async () => {
    const { deps, signIn } = setUp()
    deps.wallet.connectWallet.mockRejectedValueOnce(new WalletError('not-chosen', 'closed'))
    await signIn.connect()
    expect(signIn.state.get()).toEqual(idle)
    expect(deps.showProblem).not.toHaveBeenCalled()
  })

  test('what the API client has shown is not told twice', async () => {
    const { deps, signIn } = setUp()
    deps.isRegister.mockRejectedValueOnce(new TransportError('connect', 'down'))
    await signIn.connect()
    expect(deps.showProblem).not.toHaveBeenCalled()
    expect(signIn.state.get()).toEqual({ ...idle, problem: 'no-answer' })
  })

  test('a second tap while one runs asks the wallet only once', async () => {
    const { deps, signIn } = setUp()
    await Promise.all([signIn.connect(), signIn.connect()])
    expect(deps.wallet.signMessage).toHaveBeenCalledOnce()
  })
})
