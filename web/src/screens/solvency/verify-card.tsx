import type { ProofFile } from '@candela/protocol/proof/proof-file'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { codes } from '@candela/protocol/codes/codes'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { ApiError } from '../../api/errors.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../lib/format.ts'
import { openStorage } from '../../lib/storage.ts'
import { useStore } from '../../lib/store.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import {
  heldResult,
  pathResult,
  rootResult,
  statementResult,
  type Step,
  type StepResult,
  sumsResult,
} from '../../proof/check-proof.ts'
import { parseProof, saveProof } from '../../proof/open-file.ts'
import '../../proof/proof.css'
import { useApp } from '../../session/app-context.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Status, type Tone } from '../../ui/state/status.tsx'
import { readAttestedDay, readBlockTime, readHeldNow } from '../../wallet/attestation.ts'
import { ask } from '../../wallet/wallet.ts'

const steps = ['path', 'root', 'sums', 'held', 'own', 'statement'] as const satisfies readonly Step[]
const tones = { good: 'good', bad: 'bad', unknown: 'waiting' } as const satisfies Record<StepResult, Tone>
const assets = ['USDT', 'HASH', 'JU'] as const

type Results = Partial<Record<Step, StepResult>>
type Shown = { proof: ProofFile; results: Results; notes: string[] }

/** The member's own proof: fetched or opened from a file, checked step by step, and saved. */
export function VerifyCard() {
  const { t } = useTranslation()
  const { address } = useStore(useApp().session)
  const [shown, setShown] = useState<Shown | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [saved, setSaved] = useState(() => openStorage().get('proofSaved'))

  const check = async (proof: ProofFile) => {
    const now: Shown = { proof, results: {}, notes: [] }
    const show = (results: Results, ...notes: string[]) => {
      Object.assign(now.results, results)
      now.notes.push(...notes)
      setShown({ ...now })
    }
    show({ path: pathResult(proof), own: proof.leaf.member === address.toLowerCase() ? 'good' : 'bad' })
    try {
      const attested = await readAttestedDay(ask, proof)
      show({ root: rootResult(proof, attested), sums: sumsResult(proof, attested) })
      show({ held: heldResult(proof, await readHeldNow(ask, proof)) })
      const { result, balances } = await compareStatement(proof)
      const amounts = assets.map((asset, nth) => `${formatAmount(balances[nth] ?? 0n, 18)} ${asset}`).join(' · ')
      show({ statement: result }, ...(result === 'good' ? [] : [t('proof.statementNote', { amounts })]))
    } catch (error) {
      const reason = (error instanceof Error ? error.message.split('\n')[0] : undefined) ?? String(error)
      const missing = steps.filter((step) => now.results[step] === undefined)
      show(Object.fromEntries(missing.map((step) => [step, 'unknown' as const])), t('proof.noChain', { reason }))
    }
  }
  const verify = async (load: () => Promise<ProofFile | null>, otherwise: string) => {
    setBusy(true)
    setProblem(null)
    setShown(null)
    try {
      const proof = await load()
      if (proof === null) setProblem(otherwise)
      else await check(proof)
    } catch (error) {
      if (error instanceof ApiError && error.code === codes.notFound) setProblem(t('proof.none'))
    }
    setBusy(false)
  }
  const save = (proof: ProofFile) => {
    saveProof(proof)
    openStorage().set('proofSaved', proof.day)
    setSaved(proof.day)
  }

  return (
    <section className="card" aria-labelledby="proof">
      <h2 id="proof">{t('proof.title')}</h2>
      <p className="muted small">{t('proof.lead')}</p>
      <Button look="primary" block busy={isBusy} onClick={() => void verify(fetchProof, t('proof.none'))}>
        {t('proof.verify')}
      </Button>
      <div className="proof-actions">
        <label className="button proof-open">
          {t('proof.open')}
          <input
            type="file"
            accept="application/json,.json"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              if (file !== undefined) void verify(async () => parseProof(await file.text()), t('proof.notAProof'))
            }}
          />
        </label>
        <RouteLink to="/exit" className="button">
          {t('proof.toExit')}
        </RouteLink>
      </div>
      <output>{problem}</output>
      {shown !== null && <Shown shown={shown} save={() => save(shown.proof)} />}
      <p className="muted small">{saved === null ? t('proof.remind') : t('proof.savedOn', { day: saved })}</p>
    </section>
  )
}

function Shown({ shown: { proof, results, notes }, save }: { shown: Shown; save: () => void }) {
  const { t } = useTranslation()
  const all = steps.map((step) => results[step])
  return (
    <>
      <h3>{t('proof.ofDay', { day: proof.day })}</h3>
      <ul className="proof-steps">
        {steps.map((step) => {
          const result = results[step]
          return (
            <li key={step} data-step={step} data-result={result}>
              <span>{t(`proof.step.${step}`)}</span>
              <Status tone={result === undefined ? 'calm' : tones[result]}>
                {result === undefined ? t('proof.busy') : t(`proof.${result}`)}
              </Status>
            </li>
          )
        })}
      </ul>
      {all.every((result) => result === 'good') && <p>{t('proof.allGood')}</p>}
      {all.includes('bad') && <p className="exit-bad">{t('proof.someBad')}</p>}
      {notes.map((note) => (
        <p key={note} className="muted small">
          {note}
        </p>
      ))}
      <dl className="rows">
        {assets.map((asset, nth) => (
          <Row
            key={asset}
            label={nth === 0 ? `${t('proof.owed')} · ${asset}` : asset}
            value={<Amount value={fromBaseUnits(BigInt(proof.leaf.owed[nth] ?? '0'))} unit={asset} digits={18} />}
          />
        ))}
      </dl>
      <Button block onClick={save}>
        {t('proof.save')}
      </Button>
    </>
  )
}

const fetchProof = async (): Promise<ProofFile | null> =>
  parseProof(JSON.stringify(await call('GET solvency/proof', {}, { handled: [codes.notFound] })))

/** The leaf against the member's own statement at the attested block. */
async function compareStatement(proof: ProofFile) {
  const block_s = await readBlockTime(ask, proof.block)
  const before = new Date((block_s + 86_400) * 1_000).toISOString()
  const { items, nextCursor } = await call('GET statement/list', { before, limit: '100' })
  const { financialAmount, openLoans } = await call('GET home/overview', {})
  const lines = items.map(({ asset, account, balance, at }) => ({
    asset,
    account,
    balance: toBaseUnits(balance),
    at_s: Date.parse(at) / 1_000,
  }))
  const hasCredit = openLoans > 0 || financialAmount !== '0'
  return statementResult(proof, lines, { block_s, hasMore: nextCursor !== null, hasCredit })
}
