/**
 * Reads what was typed or pasted as a recipient: an address in lower case, or a UID. Null for anything else. Full-width
 * digits and letters mean the same as plain ones.
 */
export function readRecipient(text: string): string | null {
  const plain = text.normalize('NFKC').trim()
  if (/^0x[0-9a-f]{40}$/i.test(plain)) return plain.toLowerCase()
  return /^[1-9][0-9]{0,17}$/.test(plain) ? plain : null
}
