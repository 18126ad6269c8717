import { hashMessage, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { recoverSigner } from './recover-signer.ts'

const account = mnemonicToAccount('test test test test test test test test test test test junk')
const address = account.address.toLowerCase()
const digest = hashMessage('app wants you to sign in')
const signature = await account.signMessage({ message: 'app wants you to sign in' })

/** The order of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const [r, s, last] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]

test('whoever signed is named, with the recovery id of any wallet', () => {
  expect(recoverSigner(digest, signature)).toBe(address)
  expect(recoverSigner(digest, `0x${r}${s}${word(BigInt(`0x${last}`) - 27n).slice(-2)}`)).toBe(address)
  expect(recoverSigner(hashMessage('another text'), signature)).not.toBe(address)
})

test('the same signature with the other half of the curve names the same signer', () => {
  const mirrored = word(ORDER - BigInt(`0x${s}`))
  const other = last === '1b' ? '1c' : '1b'
  expect(recoverSigner(digest, `0x${r}${mirrored}${other}`)).toBe(address)
})

test.each<[string, Hex]>([
  ['too short', `0x${r}${s}`],
  ['too long', `0x${r}${s}${last}00`],
  ['not hex', `0x${'z'.repeat(130)}`],
  ['a recovery id of 2', `0x${r}${s}02`],
  ['a recovery id of 29', `0x${r}${s}1d`],
  ['r is zero', `0x${word(0n)}${s}${last}`],
  ['s is zero', `0x${r}${word(0n)}${last}`],
  ['r is the order of the curve', `0x${word(ORDER)}${s}${last}`],
  ['s is more than any word allows', `0x${r}${'f'.repeat(64)}${last}`],
  ['r is on no point', `0x${word(5n)}${s}${last}`],
])('nobody signed: %s', (_what, wrong) => {
  expect(recoverSigner(digest, wrong)).toBeNull()
})

test('a wrong signature between two right ones changes neither', () => {
  for (let nth = 0; nth < 50; nth += 1) {
    expect(recoverSigner(digest, `0x${word(ORDER)}${s}${last}`)).toBeNull()
    expect(recoverSigner(digest, signature)).toBe(address)
  }
})
