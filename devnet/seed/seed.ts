/** The offers of a new development installation. Done by the operator's own commands, so that each is signed and audited. */
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { listAllPlans } from '@candela/server/modules/power/plans/manage-plans'
import { listInvitations } from '@candela/server/modules/member/manage-invitations'
import { listAllProjects } from '@candela/server/modules/lending/project/manage-projects'
import type { Proposed } from '@candela/server/operator/signing/proposals'
import { addOperators, give, giveByBoth, type Installation } from './operators.ts'
import { rootInvitation } from './root-invitation.ts'

/** The projects for loans of a new development installation, as options of `candela project create`. */
const projects = [
  {
    nameZh: 'JU 质押借款',
    nameTw: 'JU 質押借款',
    nameEn: 'Loans on JU',
    informationZh: '以 JU 作质押，从资金池借入 USDT。按日计息，随时可以提前还清，不收违约金。',
    informationTw: '以 JU 作質押，從資金池借入 USDT。按日計息，隨時可以提前還清，不收違約金。',
    informationEn:
      'Borrow USDT from the money fund against JU. Interest is charged by the day, and paying early costs nothing.',
    collateral: 'JU',
    total: '500000',
    rate: '0.09',
    initialRate: '0.5',
    safetyLine: '0.7',
    clearingLine: '0.8',
  },
  {
    nameZh: 'HASH 质押借款',
    nameTw: 'HASH 質押借款',
    nameEn: 'Loans on HASH',
    informationZh: '以产出币 HASH 作质押，不必卖出就能取得 USDT。价格波动较大，因此可借比例较低。',
    informationTw: '以產出幣 HASH 作質押，不必賣出就能取得 USDT。價格波動較大，因此可借比例較低。',
    informationEn: 'Borrow USDT against HASH without selling it. Its price moves more, so less is lent on it.',
    collateral: 'HASH',
    total: '200000',
    rate: '0.12',
    initialRate: '0.4',
    safetyLine: '0.6',
    clearingLine: '0.75',
  },
]

const plans = [
  {
    nameZh: '烛火',
    nameTw: '燭火',
    nameEn: 'Ember',
    descriptionZh: '九十天，一个单位起，适合先试一试。收益取决于每天真实入账的产出。',
    descriptionTw: '九十天，一個單位起，適合先試一試。收益取決於每天真實入帳的產出。',
    descriptionEn:
      'Ninety days from one unit: a way to try it. Income depends on the revenue that really came in each day.',
    unit: 'T',
    unitPrice: '20',
    termDays: '90',
    minUnits: '1',
    maxUnits: '500',
    totalUnits: '20000',
    serviceFeePpm: '80000',
  },
  {
    nameZh: '明焰',
    nameTw: '明焰',
    nameEn: 'Flame',
    descriptionZh: '一百八十天，服务费更低。每一笔收益都能核对到当天的入账。',
    descriptionTw: '一百八十天，服務費更低。每一筆收益都能核對到當天的入帳。',
    descriptionEn: 'Half a year at a lower service fee. Every income can be checked against that day’s deposit.',
    unit: 'T',
    unitPrice: '38',
    termDays: '180',
    minUnits: '5',
    maxUnits: '2000',
    totalUnits: '40000',
    serviceFeePpm: '60000',
  },
  {
    nameZh: '灯塔',
    nameTw: '燈塔',
    nameEn: 'Beacon',
    descriptionZh: '三百六十天，服务费最低，十个单位起。没有入账的日子就没有收益，并会说明原因。',
    descriptionTw: '三百六十天，服務費最低，十個單位起。沒有入帳的日子就沒有收益，並會說明原因。',
    descriptionEn: 'A year at the lowest service fee, from ten units. A day without revenue pays nothing, and says so.',
    unit: 'T',
    unitPrice: '72',
    termDays: '360',
    minUnits: '10',
    maxUnits: '5000',
    totalUnits: '100000',
    serviceFeePpm: '50000',
  },
]

/** Adds what is missing. What the operator has closed since stays closed. @returns how many things were added */
export async function seed(installation: Installation): Promise<number> {
  const db = openDatabase({ url: installation.databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    let added = await addOperators(db, installation)
    const order = async (words: readonly string[]) => {
      await give(installation, 'first', words)
      added += 1
    }
    if (!(await listInvitations(db)).some(({ code }) => code === rootInvitation)) {
      const note = 'the development installation’s first invitation'
      await order(['invitation', 'create', rootInvitation, '--note', note])
    }
    // Its pairs are as old as the installation, which is to lend from the first day.
    const key = 'pairAgeDays'
    if ((await db.selectFrom('setting').select('key').where('key', '=', key).execute()).length === 0) {
      const isSame = ({ command, input }: Proposed) => command === 'setting set' && input['key'] === key
      await giveByBoth(db, installation, ['setting', 'set', key, '0'], isSame)
      added += 1
    }
    const names = new Set((await listAllPlans(db)).map((plan) => plan.name.en))
    for (const plan of plans) {
      if (!names.has(plan.nameEn)) await order(['plan', 'create', ...optionsOf(plan)])
    }
    const known = new Set((await listAllProjects(db)).map(({ name }) => name.en))
    for (const project of projects) {
      if (known.has(project.nameEn)) continue
      const isSame = ({ command, input }: Proposed) =>
        command === 'project create' && input['nameEn'] === project.nameEn
      await giveByBoth(db, installation, ['project', 'create', ...optionsOf(project)], isSame)
      added += 1
    }
    return added
  } finally {
    await db.destroy()
  }
}

/** nameEn is `--name-en`. */
const optionsOf = (plan: Readonly<Record<string, string>>): string[] =>
  Object.entries(plan).flatMap(([name, value]) => [
    `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ])
