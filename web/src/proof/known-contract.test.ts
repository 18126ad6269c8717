import { expect, test } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { judgeContract, rememberContract } from './known-contract.ts'

const [ours, decoy] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const proof = (gateway: string, chainId = 210_000) => ({ gateway, chainId })

test('a proof of another chain is not looked at, whatever its contract', () => {
  expect(judgeContract(proof(ours, 1), memoryStorage(), ours)).toEqual({ kind: 'other-chain' })
})

test('the contract that was built in is known, and no other', () => {
  const storage = memoryStorage()
  storage.set('gateway', decoy)
  expect(judgeContract(proof(ours), storage, ours)).toEqual({ kind: 'known' })
  expect(judgeContract(proof(decoy), storage, ours)).toEqual({ kind: 'unknown', expected: ours })
})

test('where none was built in it is the one that this device has paid first', () => {
  const storage = memoryStorage()
  expect(judgeContract(proof(ours), storage, null)).toEqual({ kind: 'unknown', expected: null })
  rememberContract(storage, ours.toUpperCase().replace('0X', '0x'))
  rememberContract(storage, decoy)
  expect(judgeContract(proof(ours), storage, null)).toEqual({ kind: 'known' })
  expect(judgeContract(proof(decoy), storage, null)).toEqual({ kind: 'unknown', expected: ours })
})
