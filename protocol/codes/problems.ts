/** Kinds of problems of an input. Schemas use these as messages, refusals as their reason. */
export const inputProblems = [
  'missing',
  'notANumber',
  'notPositive',
  'tooManyDecimals',
  'trailingZeros',
  'tooLarge',
  'notAnInteger',
  'notARatio',
  'notAPercentage',
  'notACount',
  'notAnAddress',
  'notARecipient',
  'notATime',
  'notAChoice',
  'tooLong',
  'tooFarAhead',
  'dateAhead',
  'notFinal',
  'clockWrong',
  'sameAsset',
  'oneself',
  'notAccepted',
] as const

export type InputProblem = (typeof inputProblems)[number]
