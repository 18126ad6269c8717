/** The ways on from the end of a command that moves money. */
export const command = {
  'command.close': 'Done',
  'command.askAgain': 'Ask again',
  'command.edit': 'Back to edit',
} as const
