import type { texts as tw } from '../tw/amount.ts'

export const texts: Record<keyof typeof tw, string> = {
  'amount.available': 'Available',
  'amount.max': 'Max',
  'amount.didYouMean': 'Did you mean',
  'amount.empty': 'Enter an amount',
  'amount.notANumber': 'Use digits and one decimal point only',
  'amount.negative': 'An amount cannot be negative',
  'amount.separators':
    'A comma or a separator means different things in different places. So that the amount is never misread, use digits and one decimal point only.',
  'amount.tooManyDecimals': 'At most 18 decimals',
  'amount.notWhole': 'Please enter an integer',
  'amount.tooLarge': 'That number is too large',
  'amount.zero': 'The amount has to be above zero',
  'amount.notEnough': 'More than is available',
}
