import type { Language } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { DemoAccount } from './accounts.ts'
import type { PreparedPayment } from './chain.ts'
import type { Decisions, DemoProvider } from './provider.ts'
import { askInSheet, el, row } from './sheet.ts'
import { texts } from './texts.ts'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { decodeAbiParameters, decodeFunctionData, type Hex } from 'viem'

/** The meaning of a transaction's call data, in the terms of the payment contract. */
type CallDescription = {
  /** Such as "buyPower". */
  action: string
  /** Base units of `asset`. */
  amount: bigint
  /** Null for the native currency. */
  asset: string | null
  customer: string
  reference: string
}

/** Reads `recharge(string,bytes)`; null for anything else, which is then shown as it is. */
export function describeCall(data: Hex | undefined): CallDescription | null {
  if (data === undefined || data === '0x') return null
  try {
    const call = decodeFunctionData({ abi: paymentGatewayAbi, data })
    if (call.functionName !== 'recharge') return null
    const [action, inner] = call.args
    const [amount, asset, customer, reference] = decodeAbiParameters(rechargeDataTypes, inner)
    return { action, amount, asset: asset === NATIVE_ASSET ? null : asset, customer, reference }
  } catch {
    // Not ours to explain: the sheet shows the raw data instead.
    return null
  }
}

const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Amounts are shown to the last digit here: a wallet shows what it signs. */
const exact = (amount: bigint, symbol: string): HTMLElement =>
  el('span', { class: 'dw-number' }, fromBaseUnits(amount), el('small', {}, symbol === '' ? '' : ` ${symbol}`))

/** Asks a person in sheets, in the language of the page. */
export function askPerson(language: () => Language): Decisions {
  return {
    connect(accounts, current) {
      const t = texts[language()]
      const list = accountList(accounts, current, t.account)
      return askInSheet<DemoAccount | null>({
        mark: t.mark,
        title: t.connectTitle,
        content: [
          el('p', { class: 'dw-site' }, location.host),
          el('p', {}, t.connectAsk),
          list.element,
          el('p', {}, t.play),
        ],
        out: { label: t.refuse, value: null },
        main: { label: t.connect, value: list.chosen },
      })
    },

    sign(account, text) {
      const t = texts[language()]
      return askInSheet({
        mark: t.mark,
        title: t.signTitle,
        content: [
          el('p', {}, t.signAsk),
          el('pre', { class: 'dw-message', tabindex: '0' }, text),
          el('dl', {}, row(t.account.replace('{number}', String(account.number)), short(account.address))),
        ],
        out: { label: t.refuse, value: false },
        main: { label: t.sign, value: () => true },
      })
    },

    signTerms(account, { site, action, contract, fields }) {
      const t = texts[language()]
      return askInSheet({
        mark: t.mark,
        title: t.termsTitle,
        content: [
          el('p', {}, t.termsAsk),
          el(
            'dl',
            {},
            row(t.action, `${site} · ${action}`),
            // The field names are part of what is signed, so they are not translated.
            ...fields.map(([name, value]) => row(t.fields[name] ?? name, value, value.length > 24)),
            row(t.contract, contract, true),
            row(t.account.replace('{number}', String(account.number)), short(account.address)),
          ),
        ],
        out: { label: t.refuse, value: false },
        main: { label: t.sign, value: () => true },
      })
    },

    pay(account, payment) {
      const t = texts[language()]
      const call = describeCall(payment.data)
      return askInSheet({
        mark: t.mark,
        title: call === null ? t.sendTitle : t.payTitle,
        content: paymentContent(account, payment, call, t),
        out: { label: t.refuse, value: false },
        main: { label: t.pay, value: () => true },
      })
    },
  }
}

type Texts = (typeof texts)[Language]

function paymentContent(
  account: DemoAccount,
  payment: PreparedPayment,
  call: ReturnType<typeof describeCall>,
  t: Texts,
): (HTMLElement | null)[] {
  const isShort = payment.balance < payment.value + payment.maxFee
  const details = call === null ? [] : [row(t.action, call.action), row(t.reference, call.reference)]
  const token = call?.asset ?? null
  if (call !== null && token !== null)
    details.push(row(t.tokenAmount, exact(call.amount, '')), row(t.token, token, true))
  if (call !== null && call.customer.toLowerCase() !== account.address)
    details.push(row(t.customer, call.customer, true))
  return [
    el('p', { class: 'dw-figure' }, exact(payment.value, payment.symbol)),
    isShort ? el('p', { class: 'dw-warning', role: 'alert' }, t.short) : null,
    el(
      'dl',
      {},
      ...details,
      row(t.from, `${t.account.replace('{number}', String(account.number))} · ${short(account.address)}`),
      row(t.to, payment.to ?? '–', true),
      row(t.fee, exact(payment.maxFee, payment.symbol)),
      row(t.balance, exact(payment.balance, payment.symbol)),
    ),
    payment.data === undefined
      ? null
      : el('details', {}, el('summary', {}, t.data), el('pre', { class: 'dw-message', tabindex: '0' }, payment.data)),
  ]
}

/** The wallet's own window: change the account, or disconnect from the site. */
export async function openWallet(wallet: DemoProvider['window'], language: () => Language): Promise<void> {
  const t = texts[language()]
  const list = accountList(wallet.accounts(), wallet.current(), t.account)
  for (const [account, place] of list.balances)
    wallet.balanceOf(account).then(
      (balance) => place.replaceChildren(exact(balance, 'JU')),
      () => place.replaceChildren(t.offline),
    )
  const forget = el('button', { type: 'button', class: 'dw-button' }, t.forget)
  type Answer = 'close' | 'forget' | 'choose'
  const answer = await askInSheet<Answer>({
    mark: t.mark,
    title: t.walletTitle,
    content: [el('p', {}, t.walletAsk), list.element, forget],
    out: { label: t.close, value: 'close' },
    answers: (give) => {
      forget.addEventListener('click', () => give('forget'))
      list.element.addEventListener('change', () => give('choose'))
    },
  })
  if (answer === 'forget') wallet.forget()
  if (answer === 'choose') wallet.choose(list.chosen())
}

function accountList(accounts: DemoAccount[], current: DemoAccount, label: string) {
  const balances = new Map<DemoAccount, HTMLElement>()
  let chosen = current
  const options = accounts.map((account) => {
    const input = el('input', { type: 'radio', name: 'dw-account', value: account.address })
    input.checked = account === current
    input.addEventListener('change', () => (chosen = account))
    const balance = el('span', { class: 'dw-balance' })
    balances.set(account, balance)
    return el(
      'label',
      { class: 'dw-account' },
      input,
      el('span', {}, label.replace('{number}', String(account.number))),
      el('span', { class: 'dw-address' }, short(account.address)),
      balance,
    )
  })
  return {
    element: el('div', { class: 'dw-accounts', role: 'radiogroup' }, ...options),
    balances,
    chosen: () => chosen,
  }
}
