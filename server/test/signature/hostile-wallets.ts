import { concatHex, encodeAbiParameters, type Hex, toFunctionSelector, toHex } from 'viem'

/** Loops until its gas is gone. */
export const BURNS_ALL: Hex = '0x5b600056'

const returnsWord = (word: Hex): Hex => concatHex(['0x7f', word, '0x60005260206000f3'])
const magicAnd = (rest: string): Hex => `0x1626ba7e${rest.repeat(28)}`

/** Remembers that it was called with less than five bytes; from then on it answers all else with the magic value. */
export const SAYS_YES_ONCE_POKED: Hex = concatHex([
  '0x36600511603457',
  '0x7f',
  magicAnd('00'),
  '0x60005402',
  '0x60005260206000f3',
  '0x5b600160005500',
])

/** Contracts that are no wallets of anybody's, as EVM code. */
export const hostileCodes: readonly (readonly [string, Hex])[] = [
  ['another value', returnsWord(`0xffffffff${'00'.repeat(28)}`)],
  ['true', returnsWord(`0x${'00'.repeat(31)}01`)],
  ['the magic value with dirt behind it', returnsWord(magicAnd('ff'))],
  ['the magic value at the wrong end', returnsWord(`0x${'00'.repeat(28)}1626ba7e`)],
  ['four bytes alone', concatHex(['0x7f', magicAnd('00'), '0x60005260046000f3'])],
  ['a revert', '0x600080fd'],
  ['a revert with the magic value', concatHex(['0x7f', magicAnd('00'), '0x60005260206000fd'])],
  ['all gas burnt', BURNS_ALL],
  ['an opcode that is none', '0xfe'],
  ['a megabyte', '0x621000006000f3'],
  ['a megabyte that begins with the magic value', concatHex(['0x7f', magicAnd('00'), '0x600052621000006000f3'])],
  ['a revert with a megabyte', '0x621000006000fd'],
  ['what it was called with', '0x366000600037366000f3'],
  ['nothing', '0x00'],
]

/** Reverts as EIP-3668 has it, which asks the caller to fetch a URL. */
export function looksElsewhere(url: string): Hex {
  const selector = toFunctionSelector('OffchainLookup(address,string[],bytes,bytes4,bytes)')
  const terms = encodeAbiParameters(
    [{ type: 'address' }, { type: 'string[]' }, { type: 'bytes' }, { type: 'bytes4' }, { type: 'bytes' }],
    [`0x${'00'.repeat(20)}`, [url], '0x1234', '0x12345678', '0x'],
  )
  const data = concatHex([selector, terms])
  const size = toHex((data.length - 2) / 2, { size: 2 })
  // The data behind this code, with the contract's own address put in as who asks.
  return concatHex(['0x61', size, '0x6100136000393060045261', size, '0x6000fd', data])
}
