/** The steps of a member in the app, on a page of any engine. Each step ends with a picture and a look for what is too wide. */
import { rootInvitation } from '@candela/devnet/seed/root-invitation'
import type { Phone } from '@candela/testing/engines/phone'
import type { Newcomer } from '../support/people.ts'

const css = (selector: string) => ({ css: selector })

export async function signIn(phone: Phone, origin: string, person: Newcomer): Promise<void> {
  await phone.goTo(`${origin}/#/index?code=${rootInvitation}`)
  await phone.tapButton('wallet.connect')
  await phone.tap({ role: 'button', name: person.pageWallet.name })
  await phone.until('the code is filled in', async () => {
    const code = await phone.see(css('dialog[open] input'))
    return code === rootInvitation ? true : null
  })
  await phone.look('invitation')
  await phone.tapButton('invite.confirm')
  const { address } = person.wallet
  await phone.seeText(`${address.slice(0, 6)}…${address.slice(-4)}`)
  await phone.look('home')
}

export async function deposit(phone: Phone, origin: string, amount: string): Promise<void> {
  await phone.goTo(`${origin}/#/deposit`)
  await phone.tap({ role: 'radio', name: 'USDT' })
  await phone.fillIn('deposit.amount', amount)
  await phone.look('deposit')
  await phone.tapButton('deposit.pay')
  await phone.see(css('[data-deposit][data-state="credited"]'))
  await phone.look('deposited')
}

export async function buyPower(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/computing`)
  await phone.see(css('.plan input:checked'))
  await phone.look('computing')
  await phone.tapButton('buy.pay')
  await phone.see(css('[data-order][data-state="active"]'))
  await phone.look('order')
}

export async function transfer(phone: Phone, origin: string, to: string): Promise<void> {
  await phone.goTo(`${origin}/#/transfer`)
  await phone.fillIn('transfer.recipient', to)
  await phone.see(css('.recipient-found'))
  await phone.fillIn('transfer.amount', '2.5')
  await phone.tapButton('transfer.next')
  await phone.look('transfer')
  await phone.tapButton('transfer.sign')
  await phone.tapButton('command.close')
  await phone.see(css('[data-transfer]'))
  await phone.look('transferred')
}

export async function exchange(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/exchange`)
  await phone.fillIn('exchange.amount', '1')
  await phone.see(css('.exchange-left'))
  await phone.look('exchange')
  await phone.tapButton('exchange.next')
  await phone.tapButton('exchange.confirm')
  await phone.seeText(phone.text('exchange.doneTitle'))
  await phone.look('exchanged')
  await phone.tapButton('command.close')
}

export async function withdraw(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/withdrawal`)
  await phone.fillIn('withdraw.amount', '20')
  await phone.tapButton('withdraw.next')
  await phone.look('withdrawal')
  await phone.tapButton('withdraw.confirm')
  await phone.see(css('[data-withdrawal]'))
  await phone.look('withdrawn')
}

export async function intoFund(phone: Phone, origin: string, amount: string): Promise<void> {
  await phone.goTo(`${origin}/#/finance`)
  await phone.tapButton('finance.in')
  await phone.fillIn('finance.quantity', amount)
  await phone.look('fund')
  await phone.tapButton('finance.confirmIn')
  await phone.see(css('[data-bill]'))
  await phone.look('in-the-fund')
}

export async function borrowAndRepay(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/project`)
  await phone.tap(css('.project-card'))
  await phone.fillIn('project.amount', '40')
  // The computed figures come in above the button.
  await phone.see(css('.price-sentence'))
  await phone.look('project')
  await phone.tapButton('project.next')
  await phone.look('loan')
  await phone.tapButton('project.confirm')
  await phone.tapButton('lending.repay')
  await phone.tap({ role: 'radio', name: phone.text('lending.mode.full') })
  await phone.tap({ role: 'radio', name: phone.text('lending.source.balance') })
  await phone.look('repay')
  await phone.tap(css('.sheet-foot button'))
  await phone.seeText(phone.text('loans.state.repaid'))
  await phone.look('repaid')
}

export async function lever(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/lever`)
  await phone.fillIn('lever.margin', '150')
  await phone.see(css('.lever-form .verdict[data-agrees]'))
  await phone.look('lever')
  await phone.tapButton('lever.next')
  await phone.see(css('.price-sentence'))
  await phone.look('position')
  await phone.tapButton('lever.confirm')
  await phone.see(css('.lever-position'))
  await phone.look('opened')
}

export async function statement(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/statement`)
  await phone.tap(css('.statement-line'))
  await phone.look('statement-line')
  await phone.tap(css('dialog[open] .icon-button'))
  await phone.look('statement')
}

/** The statement as a file, which a browser may have dropped: its content is there to be kept, and a link for another browser. */
export async function csvFile(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/statement`)
  await phone.tapButton('statement.csv')
  await phone.tapButton('keep.show')
  await phone.see(css('.keep-text'))
  await phone.tapButton('keep.link')
  await phone.see(css('[data-file-link]'))
  await phone.look('statement-file')
}

/** The proof of the last attested day, checked on this device and kept; then opened on the way out, by pasting it. */
export async function proofAndExit(phone: Phone, origin: string): Promise<void> {
  await phone.goTo(`${origin}/#/solvency`)
  await phone.seeText(phone.text('route.solvency'))
  await phone.tapButton('proof.verify')
  for (const step of ['path', 'root', 'sums', 'held', 'own', 'owed', 'statement'])
    await phone.see(css(`[data-step="${step}"][data-result="good"]`))
  await phone.look('solvency')
  await phone.tapButton('proof.save')
  await phone.tapButton('keep.show')
  const proof = await phone.see(css('.keep-text'))
  await phone.look('proof-kept')
  await phone.goTo(`${origin}/#/exit`)
  await phone.seeText(phone.text('exit.file'))
  await phone.tapButton('proof.paste')
  await phone.fillIn('proof.pasteHere', proof)
  await phone.tapButton('proof.pasteOpen')
  await phone.see(css('[data-testid="exit-parties"]'))
  await phone.look('exit')
  await phone.tapButton('exit.check')
  await phone.seeText(phone.text('exit.notYet').split('{time}')[0] ?? '')
  await phone.look('exit-not-yet')
}
