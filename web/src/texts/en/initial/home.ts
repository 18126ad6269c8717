import type { texts as tw } from '../../tw/initial/home.ts'

export const texts: Record<keyof typeof tw, string> = {
  'visit.title': 'Every figure here, you can check yourself',
  'visit.lead':
    'Buy computing power on chain and receive what it really earned. A day without revenue pays nothing, and no return is ever promised.',
  'visit.connect': 'Connect wallet',
  'visit.signIn': 'Continue signing in',
  'visit.ended':
    'You were signed out here: from another device, after seven days without use, or thirty days after signing in. Your assets are not affected.',
  'visit.tooMany':
    'You are not signed in here yet, because too many devices are. Sign one of them out there, or sign in here instead.',
  'visit.otherAccount':
    'Your wallet was put on another account, so the one before was signed out. Sign in to use this one.',
  'visit.otherTab':
    'Another tab signed in with a different account, so this one was signed out. Your assets are not affected.',
  'visit.busy.connecting': 'Waiting for your wallet',
  'visit.busy.checking': 'Looking up your address',
  'visit.busy.signing': 'Sign the message in your wallet',
  'visit.busy.entering': 'Signing you in',
  'visit.signNote': 'Signing in is one signed message. It costs no gas and gives access to no funds.',
  'visit.invited': 'You came with invitation code {code}. It is filled in at your first sign-in.',
  'visit.figures': 'Public figures, right now',
  'visit.steps': 'How it works',
  'visit.step1': 'Payments on chain',
  'visit.step1Text': 'You pay straight into a public contract. A few blocks later your power is active.',
  'visit.step2': 'Revenue on chain',
  'visit.step2Text': 'Each day the operator deposits the real revenue into the same contract, for all to see.',
  'visit.step3': 'Shared by power',
  'visit.step3Text': 'Revenue less the service fee goes to holders in proportion, and every entry shows its sum.',

  'figure.totalUnits': 'Power at work',
  'figure.totalUnitsFrom':
    'Active power of all accounts together. Each part of it stands for a confirmed payment to the contract.',
  'figure.accounts': 'Accounts: {count}',
  'figure.revenue': 'Revenue yesterday',
  'figure.revenueFrom':
    'What the operator deposited into the contract for that UTC day. The output paid for a day never exceeds it.',
  'figure.perUnit': 'Output per {unit}',
  'figure.perUnitFrom': 'The day’s revenue less the service fee, divided by all power active that day, rounded down.',
  'figure.fundRate': 'Fund, annualised',
  'figure.fundRateFrom':
    'The change of the money fund’s share price over the last 7 closed days: a gain as a yearly rate, a loss as it was. It changes.',
  'figure.solvency': 'Solvency',
  'figure.solvencyFrom':
    'At the last reconciliation: what the contract holds of each asset, divided by what is owed. Shown is the lowest. 100% or more: everything owed is covered.',
  'figure.nothingOwed': 'Nothing is owed',
  'figure.tooOld': 'from {age}, out of date',
  'figure.heldOfOwed': '{asset} held / owed',
  'figure.compared': 'Compared',
  'figure.solvencyShort':
    'Of at least one asset the contract holds less than is owed. The amounts of each asset are below.',
  'figure.solvencyOld':
    'The last reconciliation is too long ago to say anything about now. The figure returns when reconciliation does.',
  'figure.day': 'Day (UTC)',
  'figure.gateway': 'Payment contract',
  'figure.afterFirstDay': 'After the first daily close',
  'figure.afterFund': 'Once the fund opens',
  'figure.afterReconcile': 'After the first reconciliation',
}
