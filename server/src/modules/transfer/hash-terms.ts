import { signingDomain, transferFields, transferTypedData, type TransferTerms } from '@candela/protocol/typed-data'
import { concatHex, domainSeparator, type Hex, keccak256, padHex, stringToHex } from 'viem'

const typeHash = keccak256(
  stringToHex(`Transfer(${transferFields.map(({ name, type }) => `${type} ${name}`).join(',')})`),
)

/**
 * The EIP-712 digest of a transfer's terms: what the sender's wallet signs. Written out for our one type, because the
 * general way takes four times as long, which is as much as checking the signature.
 */
export function hashTerms(gateway: Hex): (terms: TransferTerms) => Hex {
  const separator = domainSeparator({ domain: signingDomain(gateway) })
  return (terms) => {
    const { message } = transferTypedData(terms, gateway)
    const words = transferFields.map(({ name, type }) =>
      type === 'address' ? padHex(message[name], { size: 32 }) : keccak256(stringToHex(message[name])),
    )
    return keccak256(concatHex(['0x1901', separator, keccak256(concatHex([typeHash, ...words]))]))
  }
}
