import { z } from 'zod'
import { planOptions } from '../options/plan-options.ts'
import { readPictureUrl } from '../options/picture-url.ts'
import { argument, command, note, reading, required, text } from './definition.ts'

const url = text.nullable().transform((typed) => (typed === null ? null : readPictureUrl(typed)))
const picture = [argument('url', 'https, or none')]

const projectTerms = [
  required('--total <usdt>', 'the most that it lends at the same time'),
  required('--rate <fraction>', 'interest a year, such as 0.09'),
  required('--initial-rate <fraction>', 'highest mortgage rate of a new loan, such as 0.5'),
  required('--safety-line <fraction>', 'mortgage rate of a margin call, such as 0.75'),
  required('--clearing-line <fraction>', 'mortgage rate of a liquidation, such as 0.85'),
]
const terms = { total: text, rate: text, initialRate: text, safetyLine: text, clearingLine: text }

/** The commands about what is sold and lent, on which terms. */
export const productCommands = {
  'plan create': command({
    effect: 'put a plan of computing power on sale',
    role: 'risk',
    signers: 1,
    options: planOptions,
    input: z.record(text, text),
  }),
  'plan close': command({
    effect: 'take a plan off sale; its orders stay as they are',
    role: 'risk',
    signers: 1,
    arguments: [argument('id')],
    input: z.strictObject({ id: text }),
  }),
  'plan picture': command({
    effect: 'show another picture of a plan; its origin must be in IMAGE_ORIGINS',
    role: 'support',
    signers: 1,
    arguments: [argument('id'), ...picture],
    input: z.strictObject({ id: text, url }),
  }),
  'plan list': reading('all plans'),
  'project create': command({
    effect: 'open a project for loans: the fund’s money is lent on its terms',
    role: 'risk',
    signers: 2,
    options: [
      required('--name-zh <text>', 'name in simplified Chinese'),
      required('--name-tw <text>', 'name in traditional Chinese'),
      required('--name-en <text>', 'name in English'),
      required('--information-zh <text>', 'what a borrower should know, in simplified Chinese'),
      required('--information-tw <text>', 'the same in traditional Chinese'),
      required('--information-en <text>', 'the same in English'),
      required('--collateral <asset>', 'what secures its loans').choices(['JU', 'HASH']),
      ...projectTerms,
    ],
    input: z.strictObject({
      nameZh: text,
      nameTw: text,
      nameEn: text,
      informationZh: text,
      informationTw: text,
      informationEn: text,
      collateral: text,
      ...terms,
    }),
  }),
  'project change': command({
    effect: 'give a project other terms; its loans keep those that they were made with',
    role: 'risk',
    signers: 2,
    arguments: [argument('number')],
    options: projectTerms,
    input: z.strictObject({ number: text, ...terms }),
  }),
  'project close': command({
    effect: 'end lending of a project; its loans stay as they are',
    role: 'risk',
    signers: 1,
    arguments: [argument('number')],
    input: z.strictObject({ number: text }),
  }),
  'project picture': command({
    effect: 'show another picture of a project; its origin must be in IMAGE_ORIGINS',
    role: 'support',
    signers: 1,
    arguments: [argument('number'), ...picture],
    input: z.strictObject({ number: text, url }),
  }),
  'project list': reading('all projects'),
  'setting set': command({
    effect: 'change a setting; two, when it raises a limit or lowers a guard',
    role: 'admin',
    signers: 'decided',
    arguments: [argument('key'), argument('value')],
    input: z.strictObject({ key: text, value: text }),
  }),
  'setting get': command({
    effect: 'one setting',
    role: 'viewer',
    signers: 0,
    arguments: [argument('key')],
    input: z.strictObject({ key: text }),
  }),
  'setting list': reading('what can change while the service runs, with what each means'),
  'price list': reading('each price in USDT, what it is compared with, and whether it is in use', { isDefault: true }),
  'price resume': command({
    effect: 'use a halted price again, because the market really moved there',
    role: 'risk',
    signers: 2,
    arguments: [
      argument('asset', 'JU or HASH'),
      argument('price', 'what one is worth in USDT, as found elsewhere; the pair must be within 10 % of it'),
    ],
    options: [note('where it was found')],
    input: z.strictObject({ asset: text, price: text, note: text }),
  }),
}
