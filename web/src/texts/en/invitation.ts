import type { texts as tw } from '../tw/invitation.ts'

export const texts: Record<keyof typeof tw, string> = {
  'friends.lead': 'Someone new needs an invitation code for their first sign-in.',
  'friends.waits': 'Your code opens with your first deposit',
  'friends.waitsText':
    'Once {usdt} USDT, {hash} HASH or {ju} JU has come in on chain for you, or parts of these that make up as much, your own code is here. It keeps crowds of empty accounts out.',
  'friends.closed': 'Your code is closed',
  'friends.closedText': 'An operator has closed it, so nobody new can come in by it. Friends who came by it stay.',
  'friends.leaves': 'Very many accounts were made when yours was. Unless that much comes in by {date}, it is removed.',
  'friends.code': 'Your invitation code',
  'friends.copyCode': 'Copy code',
  'friends.copyLink': 'Copy link',
  'friends.share': 'Share link',
  'friends.shareText': 'My Candela invitation code: {code}',
  'friends.qr': 'QR code of the invitation link',
  'friends.reward':
    '5% of each confirmed purchase of a friend you invited is yours, credited with it and paid from the platform’s own sales revenue. One level only.',
  'friends.list': 'Direct invitations',
  'friends.count': '{count} in all',
  'friends.none': 'Nobody has joined yet',
  'friends.noneText': 'Whoever signs in with your code is listed here.',
  'friends.joined': 'Joined {date}',
  'friends.power': 'Active power',
  'friends.purchases': 'Purchases',
}
