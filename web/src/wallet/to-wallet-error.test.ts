import {
  ExecutionRevertedError,
  InsufficientFundsError,
  ResourceUnavailableRpcError,
  TransactionExecutionError,
  UnauthorizedProviderError,
  UserRejectedRequestError,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { WalletError } from './errors.ts'
import { toWalletError } from './to-wallet-error.ts'

const code = (number: unknown, message = 'Something') => Object.assign(new Error(message), { code: number })
const inViem = (cause: unknown) => new TransactionExecutionError(cause as UserRejectedRequestError, { account: null })

describe('what a wallet answers, in the forms that wallets have', () => {
  test.each<[kind: string, name: string, error: unknown]>([
    ['refused', 'the code', code(4001)],
    ['refused', 'the code as a text', code('4001')],
    ['refused', 'the code of an ethers wallet', code('ACTION_REJECTED')],
    ['refused', 'wrapped by viem', inViem(new UserRejectedRequestError(code(4001)))],
    ['refused', 'wrapped as MetaMask mobile does', { code: -32_603, data: { originalError: { code: 4001 } } }],
    ['refused', 'a thrown text', 'User rejected the transaction'],
    [
      'refused',
      'a text without its own code',
      code(-32_000, 'MetaMask Tx Signature: User denied transaction signature.'),
    ],
    ['refused', 'of WalletConnect, a connection', { code: 5000, message: 'User rejected.' }],
    ['silent', 'of WalletConnect, after five minutes', new Error('Request expired. Please try again.')],
    ['silent', 'of WalletConnect, a code that nobody scanned', { code: 0, message: 'Proposal expired' }],
    ['busy', 'the code', code(-32_002)],
    ['busy', 'of viem', new ResourceUnavailableRpcError(code(-32_002))],
    ['busy', 'a thrown text', 'Request already pending for origin'],
    ['wrong-account', 'the code', code(4100)],
    ['wrong-account', 'of viem', inViem(new UnauthorizedProviderError(code(4100)))],
    ['wrong-account', 'a thrown text', 'The requested account and/or method has not been authorized by the user.'],
    ['wrong-chain', 'the code', code(4901)],
    ['no-gas', 'of viem', inViem(new InsufficientFundsError({ cause: undefined as never }))],
    ['no-gas', 'of geth', code(-32_000, 'insufficient funds for gas * price + value: balance 0')],
    ['no-gas', 'a thrown text', 'Insufficient balance'],
    ['would-revert', 'of viem', inViem(new ExecutionRevertedError({ message: 'execution reverted: WrongValue' }))],
    ['would-revert', 'the code of a call', code(3, 'execution reverted')],
    ['failed', 'a code of WalletConnect for a method that is not known', code(5201, 'Unknown method(s) requested')],
    ['failed', 'anything else', code(-32_603, 'Internal JSON-RPC error.')],
    ['failed', 'nothing', null],
    ['failed', 'an empty text', ''],
  ])('%s: %s', (kind, _name, error) => {
    expect(toWalletError(error, 'testing')).toMatchObject({ kind, cause: error })
  })

  test('a refusal decides, whatever else is said beside it', () => {
    const error = { message: 'insufficient funds', cause: { code: 4001 } }
    expect(toWalletError(error, 'testing').kind).toBe('refused')
  })

  test('what is classified already stays so, and a circle of causes ends', () => {
    const silent = new WalletError('silent', 'x')
    expect(toWalletError(silent, 'testing')).toBe(silent)
    const circle: Record<string, unknown> = { message: 'odd' }
    circle['cause'] = circle
    expect(toWalletError(circle, 'testing').message).toBe('testing: odd')
  })
})
