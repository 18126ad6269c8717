import { endpoints } from '@candela/protocol/endpoints'
import type { Described } from './described.ts'

const masked = 'The first 6 and last 4 characters of its address.'

/** Signing in, accounts, invitations, rankings, notices, commands. */
export const accounts: Described = {
  schemas: {
    Price: {
      schema: endpoints['GET user/priceInfo'].data.shape.items.element,
      text: 'A price of an asset in USDT with what it is computed from.',
      properties: {
        asset: 'The asset that the price is of.',
        average:
          'USDT per whole unit: average of the pair’s spot price, weighted by time, over `windowSeconds`, rounded down; 1 for USDT. Null before the first observation.',
        spot: 'USDT per whole unit by the reserves of the pair at `blockNumber`, rounded down. Null before the first observation.',
        dayAverage:
          'As `average`, over 24 hours. While the price is halted, as it was before. Null while it is not observed that long.',
        windowSeconds: 'Seconds that `average` goes over: 1800, less on a younger chain.',
        pair: 'The pair contract that the price is read from; null for USDT.',
        blockNumber: 'The block of the last observation; null for USDT and before the first.',
        observedAt: 'When that block was made; null for USDT and before the first.',
        paused: 'True while whatever needs this price is refused with 5031.',
        pauseReason:
          'none; noObservation; stale: the last observation is older than 5 minutes; deviation: spot is over 10 % away from the average; halted: the price has left its average of a day.',
      },
    },
    Network: {
      schema: endpoints['GET home/public'].data.shape.network,
      text: 'The chain, as wallets take it by `wallet_addEthereumChain`.',
      properties: {
        chainId: 'The chain’s id in hexadecimal.',
        chainName: 'Its name.',
        nativeCurrency: 'Its own currency.',
        'nativeCurrency.name': 'The currency’s name.',
        'nativeCurrency.symbol': 'The currency’s symbol.',
        'nativeCurrency.decimals': 'Decimals of the currency: 18.',
        rpcUrls: 'Nodes that the app asks.',
        blockExplorerUrls: 'Pages that show transactions.',
      },
    },
  },
  endpoints: {
    'GET auth/loginMessage': {
      input: { address: 'The wallet’s address; without it the message leaves that line out.' },
      data: { message: 'The whole text that the wallet signs (EIP-191). Good once, for five minutes.' },
    },
    'POST auth/isRegister': {
      input: { address: 'The wallet’s address, in any letter case.' },
      data: { isRegister: 'True when the address has an account.' },
    },
    'POST auth/login': {
      input: {
        address: 'The address that has signed.',
        message: 'The text of `auth/loginMessage`, unchanged.',
        sign_message: 'The signature in hexadecimal: of a plain key, or of a contract wallet (EIP-1271, EIP-6492).',
        code: 'An invitation code; needed when the address has no account yet.',
        replace:
          '1: when the account is signed in on as many devices as it may, the others are signed out. Else that is 4001.',
      },
      data: {
        token:
          'The session’s token for the header Authorization. It is shown once, ends after 7 days without a call and after 30 days at the latest.',
      },
    },
    'POST auth/logout': {},
    'GET auth/sessions': {
      data: {
        items: 'The devices, the newest sign-in first.',
        'items.id': 'Names the session for `auth/revoke`.',
        'items.current': 'True for the session that makes this call.',
        'items.userAgent': 'The header User-Agent of its sign-in.',
        'items.signedInAt': 'When it was signed in.',
        'items.seenAt': 'When it was last used, accurate to five minutes.',
      },
    },
    'POST auth/revoke': {
      input: { id: 'The session to end. Either this or `others`.', others: '1: every session but the one that calls.' },
      data: { ended: 'How many sessions were ended.' },
    },
    'GET user/info': {
      data: {
        uid: 'The account’s number, a decimal text.',
        address: 'The account’s own wallet, the only destination of its withdrawals.',
        level: 'Membership level 0 to 5 by `activePower`: from 10, 100, 500, 1,000 and 5,000 units.',
        activePower: 'Whole units of power that earn today.',
        nextLevelAt: 'Active power at which the next level begins; null at level 5.',
        invitationCode: 'The account’s own code; empty unless `invitationState` is open.',
        invitationState: 'open; waits: it opens once about 1 USDT was paid in on chain; closed: by an operator.',
        leavesAt: 'When the account is removed unless that much is paid in; null for one that stays.',
        directReferrals: 'How many accounts were invited by this one.',
        juUid: 'The UID at the exchange that the member gave, unproven; null for none.',
        balances: 'The balances of every asset.',
        'balances.asset': 'The asset.',
        'balances.available': 'Can be spent now. Whole units of the asset, exact.',
        'balances.held': 'Set aside for withdrawals under way. Whole units of the asset, exact.',
        totalUsdt:
          'Both balances of all assets in USDT: of each asset ⌊amount × average price⌋, added up. Null when something is had whose price is unknown.',
        joinedAt: 'When the account was made.',
      },
    },
    'POST user/updateJuUid': {
      input: { juUid: 'A positive whole number of up to 18 digits.' },
      data: { juUid: 'What is stored now.' },
    },
    'GET user/priceInfo': { data: { items: 'One for each asset.' } },
    'GET user/priceHistory': {
      input: { asset: 'The asset whose price is asked for.', days: 'How many days back from now.' },
      data: {
        items: 'Points, oldest first.',
        'items.at': 'When the last observation of the point was made.',
        'items.blockNumber': 'The block of that observation.',
        'items.price': 'Spot price of that observation, USDT per whole unit, rounded down.',
        'items.lowest': 'The lowest spot price of all observations of the point.',
        'items.highest': 'The highest of them.',
      },
    },
    'GET user/powerLog': {
      data: {
        items: 'The changes, newest first.',
        'items.id': 'Names the change; no two have the same.',
        'items.kind': 'activated: an order began to earn. expired: its term is over.',
        'items.orderNo': 'The order.',
        'items.planName': 'The name of its plan.',
        'items.planName.zh': 'In Simplified Chinese.',
        'items.planName.tw': 'In Traditional Chinese.',
        'items.planName.en': 'In English.',
        'items.unit': 'The name of a unit, such as "T".',
        'items.units': 'The change in whole units; below zero when power expired.',
        'items.total': 'Active power after the change, whole units.',
        'items.at': 'When it happened.',
        'items.txHash': 'The payment of the order; null for an expiry.',
      },
    },
    'GET user/zhiList': {
      data: {
        items: 'The invitees, newest first.',
        'items.maskedAddress': masked,
        'items.joinedAt': 'When the account was made.',
        'items.activePower': 'Its whole units of power that earn today.',
        'items.purchases': 'Its confirmed purchases, USDT, exact.',
      },
    },
    'GET user/todayPerformanceRank': {
      data: {
        day: 'The running UTC day.',
        countedUntil: 'Purchases confirmed before this instant are counted.',
        rank: 'The caller’s place; equal amounts share one. Null without a purchase.',
        amount: '`own` and `direct` together, USDT.',
        own: 'The caller’s purchases of the day, USDT.',
        direct: 'Purchases of the day by accounts that the caller invited, USDT.',
        items: 'The first hundred.',
        'items.rank': 'Place; equal amounts share one, and the next place is skipped.',
        'items.maskedAddress': masked,
        'items.amount': 'The figure of the ranking, USDT.',
      },
    },
    'GET user/minPerformanceRank': {
      data: {
        countedUntil: 'Purchases confirmed before this instant are counted.',
        rank: 'The caller’s place; equal amounts share one. Null without a figure.',
        amount: '`team` − `largestBranch`, USDT.',
        team: 'Purchases of all accounts below the caller, at any depth, USDT.',
        largestBranch: 'Purchases of the direct invitee, with all below it, that has most, USDT.',
        items: 'The first hundred.',
        'items.rank': 'Place; equal amounts share one, and the next place is skipped.',
        'items.maskedAddress': masked,
        'items.amount': 'The figure of the ranking, USDT.',
      },
    },
    'GET notice/list': {
      data: {
        items: 'The notices, newest first.',
        'items.id': 'Names the notice for `notice/read`.',
        'items.at': 'When it was written.',
        'items.read': 'True once it was marked as read.',
        'items.kind': 'What happened.',
        'items.params': 'The values of its text, by the kind. Amounts are decimal texts in whole units.',
        unread: 'Notices that are not read; 100 stands for 100 or more.',
      },
    },
    'POST notice/read': {
      input: { id: 'The notice to mark. Either this or `all`.', all: '1: every notice.' },
      data: { unread: 'Notices that are not read after it; 100 stands for 100 or more.' },
    },
    'GET command/outcome': { input: {}, data: outcome() },
    'POST command/giveUp': { input: {}, data: outcome() },
  },
}

function outcome() {
  return {
    state:
      'done: what was asked under this id was done. underWay: it is being done. givenUp: it never will be. unknown: the request may still arrive, which is no outcome.',
    at: 'When it was done or given up; null otherwise.',
    result: 'Facts of a command that is done, such as the number of its loan; null otherwise.',
  }
}
