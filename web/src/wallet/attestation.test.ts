import { paymentGatewayAbi as abi } from '@candela/protocol/abi/payment-gateway'
import { proofOf } from '@candela/protocol/proof/testing'
import { encodeAbiParameters, encodeFunctionResult, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { type Ask, readExitState, readHeld } from './attestation.ts'

const gateway = `0x${'aa'.repeat(20)}`
const [USDT, OLD_COIN, NEW_COIN] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}` as const)
const attested = { root: '0x', sums: [], leaves: 1n, block: 16n, ledgerSequence: 1n, minedIn: '0x20' } as const
const selectorOf = (name: string) => {
  const item = abi.find((each) => each.type === 'function' && each.name === name)
  return toFunctionSelector(item as Parameters<typeof toFunctionSelector>[0])
}
const attestation = (subcoin: Hex | undefined) => ({
  root: `0x${'00'.repeat(32)}` as const,
  sums: [0n, 0n, 0n] as const,
  subcoin: subcoin ?? zeroAddress,
  attestedAt: 1_000,
  day: 20_779,
  blockNumber: 16,
  depth: 0,
  ledgerSequence: 1n,
})

const uint = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])

type Call = { to: string; data: Hex }

/** A node: what it answers to a call at a block, in base units; undefined where it has no such state. */
function nodeOf(values: Record<string, (block: string) => unknown>, state: (block: string) => bigint | undefined): Ask {
  return (method, params) => {
    const [asked, block = 'latest'] = params as [Call, string?]
    if (method === 'eth_getBlockByNumber') return Promise.resolve({ timestamp: '0x1000000' })
    const held = state(block)
    if (held === undefined) return Promise.reject(new Error('missing trie node'))
    if (method === 'eth_getBalance') return Promise.resolve(`0x${held.toString(16)}`)
    if (asked.data.startsWith('0x70a08231')) return Promise.resolve(uint(held + (asked.to === OLD_COIN ? 100n : 0n)))
    const name = Object.keys(values).find((each) => asked.data.startsWith(selectorOf(each)))
    if (name === undefined) return Promise.reject(new Error('execution reverted'))
    const answer: unknown = { abi, functionName: name, result: values[name]?.(block) }
    return Promise.resolve(encodeFunctionResult(answer as Parameters<typeof encodeFunctionResult>[0]))
  }
}

const held = {
  usdt: () => USDT,
  lastAttestation: (block: string) => attestation(block === attested.minedIn ? OLD_COIN : NEW_COIN),
}

test('what was held is asked at the attested block, in the subcoin of the attestation', async () => {
  const node = nodeOf(held, (block) => (block === '0x10' ? 7n : 0n))
  expect(await readHeld(node, { gateway }, attested)).toEqual({ amounts: [7n, 107n, 7n], isNow: false })
})

test('where the node no longer has that state, what is held now is told, and that it is of now', async () => {
  const node = nodeOf(held, (block) => (block === 'latest' ? 5n : undefined))
  expect(await readHeld(node, { gateway }, attested)).toEqual({ amounts: [5n, 5n, 5n], isNow: true })
  const silent = nodeOf(held, () => undefined)
  await expect(readHeld(silent, { gateway }, attested)).rejects.toThrow('missing trie node')
})

const leaves = [{ member: `0x${'bb'.repeat(20)}`, owed: [5n, 0n, 0n] as const, salt: new Uint8Array(32) }]
const now = 0x1000000
const YEAR_S = 31_536_000
const againAt = now + YEAR_S - 10
const sharedOf = (lacking: bigint, ...amounts: bigint[]) =>
  amounts.map((amount) => ({ held: amount, sharedAgainAt: amount === 0n ? 0n : BigInt(againAt), lacking, left: 0n }))
const exit = {
  ...held,
  exitedAt: () => now - 10,
  EXIT_DELAY: () => 2_592_000n,
  SHARING_DELAY: () => BigInt(YEAR_S),
  sharedAtExit: () => sharedOf(1n, 5n, 0n, 0n),
  claimable: () => [5n, 0n, 0n],
  isClaimed: () => [false, false, false],
  isClaimedAgain: () => [false, false, false],
}

const look = (values: Parameters<typeof nodeOf>[0]) =>
  readExitState(
    nodeOf(values, () => 0n),
    proofOf(leaves, 0),
  )

const attestedSums = (...owed: bigint[]) => ({
  lastAttestation: () => ({ ...attestation(NEW_COIN), sums: owed }),
})

test('when less is held than is owed it says from when on what is left is shared', async () => {
  const enough = await look({ ...exit, ...attestedSums(5n, 0n, 0n) })
  expect(enough).toMatchObject({
    lastDay: 20_779,
    lastRoot: `0x${'00'.repeat(32)}`,
    exitedAt: now - 10,
    sharedAgainAt: null,
    claimable: [5n, 0n, 0n],
  })
  expect((await look({ ...exit, ...attestedSums(6n, 0n, 0n) })).sharedAgainAt).toBe(againAt)
  const unclaimed = { ...exit, sharedAtExit: () => sharedOf(0n, 5n, 0n, 0n) }
  const first = await look({ ...unclaimed, ...attestedSums(6n, 0n, 0n) })
  expect(first.sharedAgainAt, 'a year after the first claim').toBe(now + YEAR_S)
  // The contract holds nothing of HASH, so there is nothing to share later either.
  expect((await look({ ...exit, ...attestedSums(5n, 9n, 0n) })).sharedAgainAt).toBeNull()
})

test('a claim can be made if the contract would accept it, also one of nothing', async () => {
  const accepts = { claim: () => undefined }
  const nothing = { claimable: () => [0n, 0n, 0n] }
  expect((await look({ ...exit, ...nothing, ...accepts })).canClaim).toBe(true)
  expect((await look({ ...exit, ...nothing })).canClaim).toBe(false)
  // Not before exit mode, whatever a node says.
  expect((await look({ ...exit, ...accepts, exitedAt: () => 0 })).canClaim).toBe(false)
})
