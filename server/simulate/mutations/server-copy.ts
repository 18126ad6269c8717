import { makeCopy } from '../../../tests/mutants/copy.ts'

/**
 * The server and the protocol, without tests, to be changed; and what composes the service for a simulation, which would call the
 * original server otherwise.
 */
export const makeServerCopy = () =>
  makeCopy({
    workspaces: ['server', 'protocol', 'testing'],
    others: [],
    isCopied: (path) => !path.endsWith('.test.ts'),
  })
