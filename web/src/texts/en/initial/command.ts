import type { texts as tw } from '../../tw/initial/command.ts'

export const texts: Record<keyof typeof tw, string> = {
  'command.close': 'Done',
  'command.edit': 'Back to edit',
  'command.moved': 'The terms have changed. Please look at the new ones first',
  'command.asking': 'Getting the current terms…',
  'command.renew': 'Show the new terms',
  'pending.title': 'Looking for the outcome',
  'pending.looking':
    'The answer was lost on its way. This may have been done, so we are looking. Nothing is done twice.',
  'pending.underWay': 'It is being done at this moment.',
  'pending.unknown':
    'The service has not received it so far, and it may still arrive. Send it again (it is done once at most), or give it up: then it is never done.',
  'pending.lookAgain': 'Look again',
  'pending.send': 'Send it again',
  'pending.giveUp': 'Give it up',
  'pending.givenUp': 'Given up. Nothing was done',
  'pending.done': '{what}: this was done',
  'pending.notice': '{what}: no answer yet. It may have been done; we are looking.',
  'pending.show': 'Show',
  'pending.fundIn': 'Into the fund',
  'pending.fundOut': 'Out of the fund',
  'pending.borrow': 'Borrow',
  'pending.repay': 'Repay',
  'pending.installment': 'Pay in installments',
  'pending.addCollateral': 'Add collateral',
  'pending.releaseCollateral': 'Take collateral back',
  'pending.open': 'Open a position',
  'pending.addMargin': 'Add margin',
  'pending.close': 'Close a position',
  'pending.takeBack': 'Take a withdrawal back',
  'pending.other': 'Request',
}
