import type { coming as tw } from '../tw/coming.ts'

export const coming: Record<keyof typeof tw, string> = {
  'coming.badge': 'In preparation',
  'coming.promise': 'Until it opens, you will see no made-up figures here.',
  'coming.mine': 'Every asset you hold, what is free and what is held, with each movement in and out.',
  'coming.list': 'Rankings of personal and team purchases. They are for display: nothing is paid for a place.',
  'coming.exchange': 'Exchange JU, USDT and HASH. Rate, fee and what you receive are shown before you agree.',
  'coming.exchangeList': 'The rate, fee and result of every exchange you make, kept for you.',
  'coming.withdrawal': 'Withdrawals go to your own wallet address only, and you can watch each step up to the chain.',
  'coming.lever':
    'Before you open a position you see the full repayment, the liquidation price and how far it may fall.',
  'coming.lending': 'Borrow USDT against your assets. Repay in full at any time, or in monthly instalments.',
  'coming.finance': 'Deposit USDT and earn the interest that borrowers pay. You can take out what is idle at the time.',
  'coming.project': 'Loan projects that are open: total, already borrowed, annual rate and terms side by side.',
  'coming.go': 'Go to {where}',
}
