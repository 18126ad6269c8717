/** Every code of the `{code, message, data}` body. Texts for people are in `code-messages.ts`. */
export const codes = {
  ok: 200,
  invalidInput: 400,
  noSession: 401,
  notFound: 404,
  tooLarge: 413,
  slowDown: 429,
  ourFault: 500,
  deviceLimit: 4001,
  invitationNeeded: 4002,
  invitationUnknown: 4003,
  loginMessageUsed: 4004,
  signatureWrong: 4005,
  requestIdReused: 4090,
  requestTooOld: 4091,
  requestGivenUp: 4092,
  notEnoughBalance: 4201,
  belowMinimum: 4202,
  aboveLimit: 4203,
  priceMoved: 4204,
  recipientUnknown: 4205,
  deskShort: 4206,
  termsExpired: 4207,
  tooManyDeposits: 4208,
  transferLimit: 4209,
  aboveMaxAmount: 4210,
  feeChanged: 4211,
  dailyLimit: 4212,
  tooManyWithdrawals: 4213,
  withdrawalSent: 4214,
  allowanceUsed: 4215,
  overCreditLimit: 4301,
  fundShort: 4302,
  loanState: 4303,
  marginTooSmall: 4304,
  projectClosed: 4305,
  fundClosing: 4306,
  planSoldOut: 4401,
  orderExpired: 4402,
  pricePaused: 5031,
  chainBehind: 5032,
  withdrawalsPaused: 5033,
  exitMode: 5036,
} as const

export type ErrorName = Exclude<keyof typeof codes, 'ok'>
export type Code = (typeof codes)[keyof typeof codes]
export type ErrorCode = Exclude<Code, 200>

/** Values for the placeholders of a message, such as the wrong field. Amounts are decimal texts in whole units. */
export type MessageParams = Readonly<Record<string, string | number>>
