import { codeMessages } from './code-messages.ts'
import type { MessageParams } from './codes.ts'
import type { Key } from '../endpoints.ts'
import { fieldName } from './field-names.ts'
import { fillMessage } from './fill-message.ts'
import type { Language } from '../language.ts'

/** Texts for people of what can be wrong with an input. Schemas use the keys as messages, refusals as their reason. */
export const inputProblems = {
  missing: { zh: '请填写{field}', tw: '請填寫{field}', en: '{field} is missing' },
  notANumber: { zh: '{field}必须是数字', tw: '{field}必須是數字', en: '{field} must be a number' },
  notPositive: { zh: '{field}必须大于 0', tw: '{field}必須大於 0', en: '{field} must be more than zero' },
  tooManyDecimals: {
    zh: '{field}最多 18 位小数',
    tw: '{field}最多到小數點後 18 位',
    en: '{field} can have at most 18 decimals',
  },
  trailingZeros: {
    zh: '{field}的小数末尾不能是 0',
    tw: '{field}的小數末尾不可為 0',
    en: '{field} must not end with zeros after the decimal point',
  },
  tooLarge: { zh: '{field}超出可处理的范围', tw: '{field}超出可處理的範圍', en: '{field} is too large' },
  notAnInteger: { zh: '请输入整数', tw: '請輸入整數', en: 'Please enter an integer' },
  notARatio: {
    zh: '{field}须为 2 至 4 倍，最多一位小数',
    tw: '{field}須為 2 至 4 倍，最多一位小數',
    en: '{field} must be 2 to 4, with at most one decimal',
  },
  notAPercentage: {
    zh: '{field}须为 1 至 100 的整数',
    tw: '{field}須為 1 至 100 的整數',
    en: '{field} must be a whole number from 1 to 100',
  },
  notACount: {
    zh: '{field}必须是大于 0 的整数',
    tw: '{field}必須是大於 0 的整數',
    en: '{field} must be a whole number above zero',
  },
  notAnAddress: {
    zh: '{field}无效，应以 0x 开头，共 42 个字符',
    tw: '{field}無效，須以 0x 開頭，共 42 個字元',
    en: '{field} is not valid: it starts with 0x and has 42 characters',
  },
  notARecipient: {
    zh: '{field}应为钱包地址或 UID',
    tw: '{field}須為錢包地址或 UID',
    en: '{field} must be a wallet address or a UID',
  },
  notATime: { zh: '{field}不是有效的时间', tw: '{field}不是有效的時間', en: '{field} is not a valid time' },
  notAChoice: { zh: '没有这个选项：{field}', tw: '沒有這個選項：{field}', en: '{field}: there is no such choice' },
  tooLong: { zh: '{field}太长', tw: '{field}太長', en: '{field} is too long' },
  tooFarAhead: {
    zh: '{field}过长，请重新签名',
    tw: '{field}過長，請重新簽署',
    en: '{field} is too long; please sign again',
  },
  dateAhead: {
    zh: '{field}的时间晚于服务器时间，请校准设备的时间',
    tw: '{field}的時間晚於伺服器時間，請校正裝置的時間',
    en: '{field} is dated later than the server’s time. Please set this device’s clock',
  },
  sameAsset: {
    zh: '不能兑换成同一币种',
    tw: '不能兌換成同一種資產',
    en: 'An asset cannot be exchanged for itself',
  },
  oneself: { zh: '不能转账给自己', tw: '不能轉帳給自己', en: 'You cannot transfer to yourself' },
  notAccepted: {
    zh: '请求未被接受，请重试。若反复出现，请校准设备的时间',
    tw: '請求未被接受，請再試一次。若一再發生，請校正裝置的時間',
    en: 'The request was not accepted. Please try again, and check this device’s clock if it happens again',
  },
} satisfies Record<string, Record<Language, string>>

export type InputProblem = keyof typeof inputProblems

/** Names of a refusal that are no input fields: nobody typed these. */
const notFields: ReadonlySet<unknown> = new Set(['envelope', 'request'])

const isProblem = (text: unknown): text is InputProblem =>
  typeof text === 'string' && Object.hasOwn(inputProblems, text)

/**
 * The message of code 400: which field, and what is wrong with it. `key` is the endpoint that was called, where one
 * was. For a reason that is not in the table the message is "not in the right form".
 */
export function inputMessage({ field, reason }: MessageParams, lang: Language, key?: Key): string {
  const problem = notFields.has(field) ? 'notAccepted' : reason
  const name = typeof field === 'string' ? fieldName(field, lang, key) : undefined
  const said = isProblem(problem) ? inputProblems[problem][lang] : codeMessages.invalidInput[lang]
  // Without a label for the field, a text that contains the label cannot be used.
  const wanted = said.includes('{field}') && name === undefined ? codeMessages.invalidInput[lang] : said
  return fillMessage(wanted, name === undefined ? {} : { field: name })
}

/** What the server needs of an issue of a schema. */
type Issue = { code: string; message: string; input?: unknown }

/** The reason that fits what a schema found wrong with a field that was sent as `sent`. */
export function problemOf({ code, message }: Issue, sent: unknown): InputProblem | undefined {
  if (sent === undefined || sent === '') return 'missing'
  if (isProblem(message)) return message
  if (code === 'too_big') return 'tooLong'
  return code === 'invalid_value' ? 'notAChoice' : undefined
}
