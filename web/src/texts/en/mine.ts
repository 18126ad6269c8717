import type { texts as tw } from '../tw/mine.ts'

export const texts: Record<keyof typeof tw, string> = {
  'mine.noTotal': 'Shown once prices are back',
  'mine.available': 'Available',
  'mine.held': 'Held',
  'mine.heldFrom': 'On its way out and not paid yet. Taken off when it is paid; all of it comes back if it is not.',
  'mine.worth': 'About {worth} USDT',
  'mine.balanceFrom': 'The sum of everything that came in and went out. The statement has every entry.',
  'mine.average': 'Average over {minutes} minutes',
  'mine.spot': 'Spot',
  'mine.observed': 'Read at',
  'mine.actions': 'What you can do',
  'mine.records': 'Records',
  'mine.shares': 'What it is made of, by worth',
  'mine.assets': 'Assets',
  'mine.uid': 'Exchange UID',
  'mine.uidNone': 'Not set',
  'mine.uidText': 'Your UID at the exchange, as you enter it. Nobody checks it, and nothing is ever paid to it.',
  'mine.uidWrong': 'A number of 1 to 18 digits',
  'mine.uidSave': 'Save',
}
