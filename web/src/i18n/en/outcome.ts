/** The ways on from the end of a command that moves money. */
export const outcome = {
  'outcome.close': 'Done',
  'outcome.askAgain': 'Ask again',
  'outcome.edit': 'Back to edit',
} as const
