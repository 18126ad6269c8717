import { codes } from '@candela/protocol/codes/codes'
import { toBaseUnits } from '@candela/protocol/money/money'
import { type OwedParts, owedParts, type SavedProof } from '@candela/protocol/proof/owed-parts'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { makeFileLink } from '../../api/file-link.ts'
import { ApiError } from '@candela/client/errors'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatCount } from '../../lib/format.ts'
import { openStorage } from '../../lib/storage.ts'
import { useStore } from '../../lib/store.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import {
  heldResult,
  isPlatformLeaf,
  owedResult,
  pathResult,
  rootResult,
  smallResult,
  statementAccounts,
  type StatementBalance,
  statementResult,
  type Step,
  type StepResult,
  sumsResult,
} from '../../proof/check-proof.ts'
import { judgeContract, rememberContract } from '../../proof/known-contract.ts'
import { parseProof, proofAsFile, readProofFile } from '../../proof/open-file.ts'
import { downloadFile, OtherWaysToKeep } from '../../ui/keep/keep-file.tsx'
import '../../proof/proof.css'
import { useApp } from '../../session/app-context.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Status, type Tone } from '../../ui/state/status.tsx'
import { readAttestedDay, readHeld } from '../../wallet/attestation.ts'
import { ask } from '../../wallet/wallet.ts'
import { dustTexts } from '../../proof/dust-texts.ts'
import { PasteText } from '../../proof/paste-text.tsx'
import { OwnAmounts } from './own-amounts.tsx'

const steps = [
  'contract',
  'path',
  'root',
  'sums',
  'held',
  'own',
  'owed',
  'statement',
] as const satisfies readonly Step[]
const tones = { good: 'good', bad: 'bad', unknown: 'waiting' } as const satisfies Record<StepResult, Tone>

type Shown = {
  proof: SavedProof
  /** The parts that the leaf was computed from, as the service tells them, or else the file. */
  parts: OwedParts | null
  results: Partial<Record<Step, StepResult>>
  notes: Partial<Record<Step, string>>
  /** Why something could not be asked. */
  problems: readonly string[]
}

/** The member's own proof: fetched or opened from a file, checked step by step, and saved. */
export function VerifyCard() {
  const { t } = useTranslation()
  const { address } = useStore(useApp().session)
  const [shown, setShown] = useState<Shown | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [saved, setSaved] = useState(() => openStorage().get('proofSaved'))

  const check = async (proof: SavedProof) => {
    let now: Shown = { proof, parts: null, results: {}, notes: {}, problems: [] }
    const show = (results: Shown['results'], more: Partial<Pick<Shown, 'parts' | 'notes'>> = {}) => {
      now = { ...now, ...more, results: { ...now.results, ...results }, notes: { ...now.notes, ...more.notes } }
      setShown(now)
    }
    const fail = (missing: readonly Step[], why: string) => {
      now = { ...now, problems: [...now.problems, why] }
      const open = missing.filter((step) => now.results[step] === undefined)
      show(Object.fromEntries(open.map((step) => [step, 'unknown' as const])))
    }
    const isSmall = isPlatformLeaf(proof)
    const isOwn = isSmall || proof.leaf.member === address.toLowerCase()
    const amountsResult = isSmall ? smallResult : owedResult
    const contract = contractResult(proof)
    show({ contract, path: pathResult(proof), own: isOwn ? 'good' : 'bad' })
    if (contract !== 'good') show({}, { notes: { contract: t('proof.unknownContract', { gateway: proof.gateway }) } })
    const askChain = async () => {
      const attested = await readAttestedDay(ask, proof)
      show({ root: rootResult(proof, attested), sums: sumsResult(proof, attested) })
      if (attested === null) return show({ held: 'unknown' })
      const held = await readHeld(ask, proof, attested)
      const note = held.isNow ? { notes: { held: t('proof.heldNow', { block: formatCount(proof.block) }) } } : {}
      return show({ held: heldResult(proof, held) }, note)
    }
    try {
      // A stranger's contract proves nothing by what it says.
      if (contract === 'bad') show({ root: 'unknown', sums: 'unknown', held: 'unknown' })
      else await askChain()
    } catch (error) {
      const reason = (error instanceof Error ? error.message.split('\n')[0] : undefined) ?? String(error)
      fail(['root', 'sums', 'held'], t('proof.noChain', { reason }))
    }
    const fromFile = (why: string) => {
      const { parts } = proof
      const notes = { owed: parts === undefined ? why : t('proof.fromFile'), statement: why }
      if (parts === undefined) show({ owed: 'unknown', statement: 'unknown' }, { notes })
      else show({ owed: amountsResult(proof, parts), statement: 'unknown' }, { parts, notes })
    }
    if (!isOwn) return fromFile(t('proof.notYours'))
    try {
      const parts = await fetchParts(proof.day)
      show({ owed: amountsResult(proof, parts) }, { parts, notes: parts === null ? { owed: t('proof.noParts') } : {} })
      if (parts === null) show({ statement: 'unknown' })
      else show({ statement: statementResult(parts, await fetchBalances(proof)) })
    } catch {
      if (now.results.owed === undefined) fromFile(t('proof.noService'))
      else show({ statement: 'unknown' }, { notes: { statement: t('proof.noService') } })
    }
  }
  const verify = async (load: () => Promise<SavedProof | null>, otherwise: string) => {
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
  /** A file that was handed to the browser may be nowhere: it counts as saved once it was opened again, or its owner says so. */
  const noteSaved = (day: string) => {
    openStorage().set('proofSaved', day)
    setSaved(day)
  }

  const openSaved = (text: string | null): SavedProof | null => {
    const proof = text === null ? null : parseProof(text)
    if (proof?.leaf.member === address.toLowerCase()) noteSaved(proof.day)
    return proof
  }

  return (
    <section className="card" aria-labelledby="proof">
      <h2 id="proof">{t('proof.title')}</h2>
      <p className="muted small">{t('proof.lead')}</p>
      <Button look="primary" block busy={isBusy} onClick={() => void verify(fetchOwn, t('proof.none'))}>
        {t('proof.verify')}
      </Button>
      <div className="proof-actions">
        <label className="button quiet-link proof-open">
          {t('proof.open')}
          <input
            type="file"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              if (file === undefined) return
              void verify(async () => openSaved(await readProofFile(file)), t('proof.notAProof'))
            }}
          />
        </label>
        <RouteLink to="/exit" className="button quiet-link">
          {t('proof.toExit')}
        </RouteLink>
      </div>
      <PasteText onText={(text) => void verify(() => Promise.resolve(openSaved(text)), t('proof.notAProof'))} />
      <output>{problem}</output>
      {shown !== null && (
        <Shown shown={shown} isSaved={saved === shown.proof.day} confirm={() => noteSaved(shown.proof.day)} />
      )}
      <p className="muted small">{saved === null ? t('proof.remind') : t('proof.savedOn', { day: saved })}</p>
    </section>
  )
}

type ShownProps = { shown: Shown; isSaved: boolean; confirm: () => void }

function Shown({ shown: { proof, parts, results, notes, problems }, isSaved, confirm }: ShownProps) {
  const { t } = useTranslation()
  const [isHanded, setHanded] = useState(false)
  const kept = proofAsFile(parts === null ? proof : { ...proof, parts })
  const all = steps.map((step) => results[step])
  const isSmall = isPlatformLeaf(proof)
  return (
    <>
      <h3>{t('proof.ofDay', { day: proof.day })}</h3>
      {isSmall && <p>{t('proof.small', dustTexts)}</p>}
      <ul className="proof-steps">
        {steps.map((step) => {
          const result = results[step]
          return (
            <li key={step} data-step={step} data-result={result}>
              <span>
                {t(isSmall && (step === 'own' || step === 'owed') ? `proof.small.${step}` : `proof.step.${step}`)}
                {notes[step] !== undefined && <span className="row-note">{notes[step]}</span>}
              </span>
              <Status tone={result === undefined ? 'calm' : tones[result]}>
                {result === undefined ? t('proof.busy') : t(`proof.${result}`)}
              </Status>
            </li>
          )
        })}
      </ul>
      {all.every((result) => result === 'good') && <p>{t('proof.allGood')}</p>}
      {all.includes('bad') && <p className="exit-bad">{t('proof.someBad')}</p>}
      {problems.map((why) => (
        <p key={why} className="muted small">
          {why}
        </p>
      ))}
      <OwnAmounts proof={proof} parts={parts} />
      {!isSmall && (
        <Button
          block
          onClick={() => {
            downloadFile(kept)
            setHanded(true)
          }}
        >
          {t('proof.save')}
        </Button>
      )}
      {isHanded && !isSaved && (
        <>
          <OtherWaysToKeep
            kept={kept}
            makeLink={results.own === 'good' ? () => makeFileLink({ file: 'proof', day: proof.day }) : undefined}
          />
          <p>{t('proof.isItSaved')}</p>
          <Button block onClick={confirm}>
            {t('proof.isSaved')}
          </Button>
        </>
      )}
    </>
  )
}

/** Unknown where this device knows of no contract yet. */
function contractResult(proof: SavedProof): StepResult {
  const judged = judgeContract(proof, openStorage())
  if (judged.kind === 'known') return 'good'
  return judged.kind === 'unknown' && judged.expected === null ? 'unknown' : 'bad'
}

/** Fetches the member's proof from the service. A later file has to be of the same contract. */
async function fetchOwn(): Promise<SavedProof | null> {
  const proof = await fetchProof()
  if (proof !== null && contractResult(proof) !== 'bad') rememberContract(openStorage(), proof.gateway)
  return proof
}

/** The member's own leaf, or that of the platform where it is owed too little for one. */
async function fetchProof(): Promise<SavedProof | null> {
  const handled = { handled: [codes.notFound] }
  try {
    return parseProof(JSON.stringify(await call('GET solvency/proof', {}, handled)))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== codes.notFound) throw error
    const { proof } = await call('GET solvency/platform', {}, handled)
    return (await fetchParts(proof.day)) === null ? null : parseProof(JSON.stringify(proof))
  }
}

/** Fetches what the leaf was computed from; null when the service has nothing of that day, or no answer of the right form. */
async function fetchParts(day: string): Promise<OwedParts | null> {
  try {
    const answer = await call('GET solvency/owed', { day }, { handled: [codes.notFound], transportInPlace: true })
    return owedParts.safeParse(answer).data ?? null
  } catch (error) {
    if (error instanceof ApiError && error.code === codes.notFound) return null
    throw error
  }
}

/** The balances of the member's statement at the sequence of the proof. */
const fetchBalances = ({ ledgerSequence: upTo }: SavedProof): Promise<StatementBalance[]> =>
  Promise.all(
    statementAccounts.map(async (account) => {
      const input = { ...account, upTo, limit: '1' }
      const { items } = await call('GET statement/list', input, { transportInPlace: true })
      return { ...account, balance: toBaseUnits(items[0]?.balance ?? '0') }
    }),
  )
