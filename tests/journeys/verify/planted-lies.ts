/** Lies that a service could tell, each in one published figure: where it is planted, and what the verifier must name. */

type Answer = Record<string, unknown>
export type Lie = {
  says: string
  /** The answer that is changed: its path, and for a day which one; empty where none is asked for. */
  path: string
  day?: string
  change: (answer: Answer) => void
  /** The check and the subject of the first line that differs. */
  found: { check: string; subject: RegExp }
}

/** A field somewhere inside, as an object. @throws when there is none */
function inside(answer: unknown, ...steps: (string | number)[]): Answer {
  let at: unknown = answer
  for (const step of steps) at = (at as Record<string | number, unknown>)[step]
  if (typeof at !== 'object' || at === null) throw new Error(`the answer has nothing at ${steps.join('.')}`)
  return at as Answer
}

/** An amount with its last decimal moved by one. */
const alittle = (amount: unknown): string => {
  const text = String(amount)
  const last = text.at(-1) === '9' ? '8' : '9'
  return `${text.slice(0, -1)}${last}`
}

const nudge = (answer: Answer, field: string): void => {
  answer[field] = alittle(answer[field])
}

const nudged =
  (field: string, ...steps: (string | number)[]) =>
  (answer: Answer): void =>
    nudge(inside(answer, ...steps), field)

const added =
  (field: string, ...steps: (string | number)[]) =>
  (answer: Answer): void => {
    const within = inside(answer, ...steps)
    within[field] = Number(within[field]) + 1
  }

const custody = (subject: RegExp) => ({ found: { check: 'custody', subject } })
const named = (check: string, subject: RegExp) => ({ found: { check, subject } })

/** @param busy a day with money in and an exchange; @param closed a day whose income is closed */
export function plantedLies({ busy, closed }: { busy: string; closed: string }): Lie[] {
  const usdt = 1
  const onDay = { path: 'solvency/day', day: busy }
  const income = { path: 'power/day', day: closed }
  const now = { path: 'solvency/now' }
  const home = { path: 'home/public' }
  const latest = { path: 'solvency/latest' }
  const tree = { path: 'solvency/tree' }
  const platform = { path: 'solvency/platform' }
  return [
    {
      says: 'another fee of the last closed day, where no day is asked for',
      path: 'power/day',
      day: '',
      change: nudged('fee'),
      ...named('income', /^figures of the last closed day$/),
    },
    {
      says: 'a better ratio in the last hour than in its last comparison',
      ...now,
      change(answer) {
        const hours = inside(answer, 'history') as unknown as Answer[]
        inside(hours.at(-1))['USDT'] = '999999999'
        const compared = inside(answer, 'now')['comparedAt']
        inside(hours.at(-1))['at'] = `${String(compared).slice(0, 13)}:00:00.000Z`
      },
      ...custody(/^USDT in the last hour$/),
    },
    {
      says: 'hours out of order',
      ...now,
      change: (answer) => void (answer['history'] = [inside(answer, 'history', 0), inside(answer, 'history', 0)]),
      ...custody(/^hours of the last seven days$/),
    },
    { says: 'more USDT is held', ...now, change: nudged('held', 'now', 'assets', usdt), ...custody(/^USDT held/) },
    { says: 'more JU is held', ...now, change: nudged('held', 'now', 'assets', 0), ...custody(/^JU held/) },
    { says: 'another block', ...now, change: nudged('hash', 'now', 'block'), ...custody(/^hash of block/) },
    { says: 'less is owed', ...now, change: nudged('owed', 'now', 'assets', usdt), ...custody(/^USDT owed/) },
    {
      says: 'less is owed to members',
      ...now,
      change: nudged('owedMembers', 'now', 'assets', 2),
      ...custody(/^HASH owed/),
    },
    { says: 'a better ratio', ...now, change: nudged('ratio', 'now', 'assets', usdt), ...custody(/^USDT ratio/) },
    {
      says: 'an asset is left out',
      ...now,
      change: (answer) => void (inside(answer, 'now', 'assets') as unknown as unknown[]).pop(),
      ...custody(/^HASH$/),
    },
    {
      says: 'a better ratio on home',
      ...home,
      change: nudged('ratio', 'solvency', 'lowest'),
      ...named('home', /^solvency/),
    },
    { says: 'more revenue on home', ...home, change: nudged('revenue', 'yesterday'), ...named('home', /^revenue/) },
    { says: 'more output on home', ...home, change: nudged('outputPerUnit', 'yesterday'), ...named('home', /^output/) },
    {
      says: 'a contract of its own',
      ...home,
      change: (answer) => void (inside(answer, 'contracts')['gateway'] = `0x${'d4'.repeat(20)}`),
      ...named('service', /^contract$/),
    },
    {
      says: 'a token of its own',
      ...home,
      change: (answer) => void (inside(answer, 'contracts')['usdt'] = `0x${'d4'.repeat(20)}`),
      ...named('service', /^USDT$/),
    },
    { says: 'a better fund rate', ...home, change: nudged('fundRate'), ...named('home', /^fund rate/) },
    {
      says: 'another close for the fund rate',
      ...home,
      change: nudged('assets', 'fundRateCloses', 'first'),
      ...named('home', /^fund rate, first/),
    },
    {
      says: 'one payment more',
      ...onDay,
      change: added('count', 'payments', 0, 'received'),
      ...named('payments', /JU received, number/),
    },
    {
      says: 'more came in',
      ...onDay,
      change: nudged('amount', 'payments', 0, 'received'),
      ...named('payments', /JU received, total/),
    },
    {
      says: 'one payout more',
      ...onDay,
      change: added('count', 'payments', usdt, 'paid'),
      ...named('payments', /USDT paid out, number/),
    },
    {
      says: 'more was paid out',
      ...onDay,
      change: (answer) => void (inside(answer, 'payments', 2, 'paid')['amount'] = '1'),
      ...named('payments', /HASH paid out, total/),
    },
    {
      says: 'more is owed by the leaf of the platform',
      ...platform,
      change: (answer) => void (inside(answer, 'proof', 'leaf', 'owed')[0] = '1'),
      ...named('attestations', /leaf of the platform, its place$/),
    },
    {
      says: 'the leaf of the platform is somebody’s who can claim',
      ...platform,
      change: (answer) => void (inside(answer, 'proof', 'leaf')['member'] = `0x${'12'.repeat(20)}`),
      ...named('attestations', /leaf of the platform, whose$/),
    },
    { says: 'more revenue', ...income, change: nudged('revenue'), ...named('income', / revenue$/) },
    { says: 'more was carried over', ...income, change: nudged('carriedIn'), ...named('income', / carried over$/) },
    { says: 'less is left over', ...income, change: nudged('carriedOut'), ...named('income', / left over$/) },
    { says: 'one unit more', ...income, change: added('totalUnits'), ...named('income', / units$/) },
    { says: 'more units of a plan', ...income, change: added('units', 'plans', 0), ...named('income', / units$/) },
    {
      says: 'a higher fee of a plan',
      ...income,
      change: nudged('fee', 'plans', 0),
      ...named('income', / fee of plan/),
    },
    {
      says: 'a lower rate of a plan',
      ...income,
      change: (answer) => void (inside(answer, 'plans', 0)['feeRate'] = '0.04'),
      ...named('income', / fee of plan/),
    },
    { says: 'higher fees', ...income, change: nudged('fee'), ...named('income', / left over$/) },
    {
      says: 'more was paid, and the fees were less',
      ...income,
      change: (answer) => {
        answer['paid'] = '9'
        answer['carriedOut'] = '0'
      },
      ...named('income', / left over$/),
    },
    {
      says: 'a deposit that nobody made',
      ...income,
      change: (answer) => {
        const deposits = inside(answer, 'deposits') as unknown as Answer[]
        deposits[0] = { ...deposits[0], txHash: `0x${'ab'.repeat(32)}` }
      },
      ...named('income', / deposit /),
    },
    {
      says: 'another payer of a deposit',
      ...income,
      change: nudged('payer', 'deposits', 0),
      ...named('income', / deposit /),
    },
    { says: 'a better fund price', ...onDay, change: nudged('price', 'fund', 0), ...named('fund', / price$/) },
    {
      says: 'the fund earned more',
      ...onDay,
      change: (answer) => void (inside(answer, 'fund', 0, 'after')['assets'] = '999999999'),
      ...named('fund', / price$/),
    },
    {
      says: 'the fund lost at a close',
      ...onDay,
      change: (answer) => {
        const change = inside(answer, 'fund', 0)
        change['before'] = { ...inside(change, 'before'), assets: '999999999' }
      },
      ...named('fund', / direction$/),
    },
    {
      says: 'shares came from nowhere',
      ...onDay,
      change: nudged('shares', 'fund', 0, 'before'),
      ...named('fund', / shares$/),
    },
    { says: 'another spot price', ...onDay, change: nudged('spot', 'prices', 0), ...named('prices', / spot$| used$/) },
    {
      says: 'another average',
      ...onDay,
      change: nudged('average', 'prices', 0),
      ...named('prices', / average$| used$/),
    },
    { says: 'another price was used', ...onDay, change: nudged('used', 'prices', 0), ...named('prices', / used$/) },
    { says: 'another pair', ...onDay, change: nudged('pair', 'prices', 0), ...named('prices', / pair$/) },
    {
      says: 'nothing was attested',
      ...latest,
      change: (answer) => void (answer['attestation'] = null),
      ...named('attestations', /^last one$/),
    },
    ...(
      [
        ['day', /^last day$/],
        ['root', /^last root$/],
        ['ledgerSequence', /^last ledger sequence$/],
        ['txHash', /^last transaction$/],
      ] as const
    ).map(([field, subject]) => ({
      says: `another ${field} of the attestation`,
      ...latest,
      change: nudged(field, 'attestation'),
      ...named('attestations', subject),
    })),
    ...(
      [
        ['block', /^last block$/],
        ['leaves', /^last number of leaves$/],
      ] as const
    ).map(([field, subject]) => ({
      says: `another ${field} of the attestation`,
      ...latest,
      change: added(field, 'attestation'),
      ...named('attestations', subject),
    })),
    ...(['owed', 'held', 'ratio'] as const).map((field) => ({
      says: `another amount ${field} at the attested block`,
      ...latest,
      change: nudged(field, 'attestation', 'assets', 0),
      ...named('attestations', new RegExp(`^last [A-Z]+ ${field}$`)),
    })),
    {
      says: 'the tree of a day is gone',
      ...tree,
      change: (answer) => void (answer['items'] = []),
      ...named('attestations', / tree$| leaves$/),
    },
    {
      says: 'a member is left out of the tree',
      ...tree,
      change: (answer) => void (inside(answer, 'items') as unknown as unknown[]).pop(),
      ...named('attestations', / leaves$/),
    },
    {
      says: 'a leaf is less',
      ...tree,
      change: (answer) => {
        const leaves = inside(answer, 'items') as unknown as { sums: string[] }[]
        // That of the platform may have nothing already.
        const leaf = leaves.find(({ sums }) => sums.some((sum) => sum !== '0'))
        if (leaf !== undefined) leaf.sums = ['0', '0', '0']
      },
      ...named('attestations', / root$| sums$/),
    },
    { says: 'the tree is as of another block', ...tree, change: added('block'), ...named('attestations', / tree$/) },
    {
      says: 'the order of leaves is another',
      ...tree,
      change: (answer) => void (answer['items'] = (inside(answer, 'items') as unknown as unknown[]).toReversed()),
      ...named('attestations', / root$/),
    },
  ]
}
